import { tokenize } from '../../../knowledge/article-search/index.ts'

/**
 * How settings, codes and products are written: with an underscore, a capital inside, or letters before digits. Such a word
 * stands for one thing: who asks for max_accel is not helped by max_velocity.
 */
const NAME =
  /(?<![\p{L}\p{N}_])(?:[\p{L}\p{N}]+(?:(?:_|::)[\p{L}\p{N}]+)+|[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*|\p{L}+\p{N}[\p{L}\p{N}]*)(?![\p{L}\p{N}_])/gu

/** Returns the words of each name in a question. All words of a name have to follow each other. */
export function namesIn(text: string): string[][] {
  return Array.from(text.matchAll(NAME), ([name]) =>
    [...tokenize(name, false)].filter(({ isGram }) => !isGram).map((token) => token.text),
  ).filter((words) => words.length > 0)
}
