import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { isFunctionWord, stem, tokenize } from '../../../knowledge/article-search/index.ts'
import type { RankedPassage } from '../../../knowledge/passages/index.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'

/** What a heading says of a passage if there is another heading between them. */
const PER_LEVEL = 0.85

/** "flush(callback)", "name (text)": details of what the heading names. */
const ASIDE = /(?<=\S\s*)[([][^()[\]]*[)\]]/g

interface Lead {
  words: string[]
  /** How much it says of the passage, from 0 to 1. */
  share: number
}

/** Returns the words of the title, of each heading above a passage, and of the title with the last of them. */
export function leadsOf({ title_words, headings, language }: RankedPassage): Lead[] {
  const title = title_words === '' ? [] : title_words.split(' ')
  const above = (JSON.parse(headings) as string[]).map((heading) => toWords(heading, language))
  const leads = [title, ...above].map((words, level) => ({ words, share: PER_LEVEL ** (above.length - level) }))
  const last = above.at(-1)
  return last === undefined ? leads : [...leads, { words: [...new Set([...title, ...last])], share: 1 }]
}

/** Headings often say "how to use" something. That does not tell them apart from the question "what is it?". */
function toWords(text: string, language: ContentLanguage): string[] {
  const { weakWords } = wordsOf(language)
  const words = [...tokenize(text.replace(ASIDE, ' '), true)].filter((token) => !isFunctionWord(token.text, language))
  const telling = words.filter((token) => !weakWords.has(token.text))
  return (telling.length > 0 ? telling : words).map((token) => (token.isGram ? token.text : stem(token.text, language)))
}
