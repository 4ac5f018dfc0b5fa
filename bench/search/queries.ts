import type { ArticleQuery } from '../../src/modules/knowledge/article-search/index.ts'
import { COMMON_WORD, type SearchCorpus } from './corpus.ts'

export interface SearchKind {
  name: string
  query(): ArticleQuery
  page?: number
}

const RARE = 15_000
const MIDDLING = 1000
const FREQUENT = 60

/** The kinds of searches. Each call of `query` varies the words a little. */
export function searchKinds(corpus: SearchCorpus): SearchKind[] {
  const search = (name: string, q: () => string, more: Partial<ArticleQuery> = {}, page = 1): SearchKind => ({
    name,
    query: () => ({ q: q(), ...more }),
    page,
  })
  const [knowledge_base_id] = corpus.bases as [string]
  const word = (rank: number) => corpus.word(rank)
  return [
    search('a rare word', () => word(RARE)),
    search('a word in 60 % of the articles', () => COMMON_WORD),
    search('… public, in one knowledge base', () => COMMON_WORD, { knowledge_base_id, visibility: 'public' }),
    search('… in one language', () => COMMON_WORD, { language: 'en' }),
    search('… page 5', () => COMMON_WORD, {}, 5),
    search('a frequent word', () => word(FREQUENT)),
    search('two words', () => `${COMMON_WORD} ${word(MIDDLING)}`),
    search('two frequent words', () => `${COMMON_WORD} ${word(FREQUENT)}`),
    search('three words', () => `${word(FREQUENT)} ${COMMON_WORD} ${word(MIDDLING)}`),
    search('a question of six words', () => [FREQUENT, MIDDLING, RARE, FREQUENT, MIDDLING, RARE].map(word).join(' ')),
    search(
      '… public, in one knowledge base',
      () => [FREQUENT, MIDDLING, RARE, FREQUENT, MIDDLING].map(word).join(' '),
      {
        knowledge_base_id,
        visibility: 'public',
      },
    ),
    search('four frequent words', () => [FREQUENT, FREQUENT, FREQUENT, FREQUENT].map(word).join(' ')),
    search('an incomplete word', () => word(MIDDLING).slice(0, 4)),
    search('two letters', () => word(FREQUENT).slice(0, 2)),
    search('a misspelt word', () => misspell(corpus, longWord(corpus))),
    search('… and a common one', () => `${misspell(corpus, longWord(corpus))} ${COMMON_WORD}`),
    search('two characters', () => corpus.characters(2)),
    search('four characters', () => corpus.characters(4), { language: 'ja' }),
    search('a word that no article has', () => `zzxqy${corpus.pick(1000)} ${word(MIDDLING)}`),
  ]
}

function longWord(corpus: SearchCorpus): string {
  for (;;) {
    const word = corpus.word(MIDDLING * (1 + corpus.pick(15)))
    if (word.length >= 7) return word
  }
}

/** Swaps two neighbouring letters or removes one. */
function misspell(corpus: SearchCorpus, word: string): string {
  const at = 1 + corpus.pick(word.length - 3)
  const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  return corpus.pick(2) === 0 ? swapped : word.slice(0, at) + word.slice(at + 1)
}
