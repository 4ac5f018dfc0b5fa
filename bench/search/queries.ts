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

/** What readers ask, each a little different every time. */
export function searchKinds(corpus: SearchCorpus): SearchKind[] {
  const ask = (name: string, q: () => string, more: Partial<ArticleQuery> = {}, page = 1): SearchKind => ({
    name,
    query: () => ({ q: q(), ...more }),
    page,
  })
  const [knowledge_base_id] = corpus.bases as [string]
  const word = (rank: number) => corpus.word(rank)
  return [
    ask('a rare word', () => word(RARE)),
    ask('a word in 60 % of the articles', () => COMMON_WORD),
    ask('… in a knowledge base, public', () => COMMON_WORD, { knowledge_base_id, visibility: 'public' }),
    ask('… in one language', () => COMMON_WORD, { language: 'en' }),
    ask('… page 5', () => COMMON_WORD, {}, 5),
    ask('a frequent word', () => word(FREQUENT)),
    ask('two words', () => `${COMMON_WORD} ${word(MIDDLING)}`),
    ask('two frequent words', () => `${COMMON_WORD} ${word(FREQUENT)}`),
    ask('three words', () => `${word(FREQUENT)} ${COMMON_WORD} ${word(MIDDLING)}`),
    ask('an unfinished word', () => word(MIDDLING).slice(0, 4)),
    ask('two letters', () => word(FREQUENT).slice(0, 2)),
    ask('a misspelt word', () => misspell(corpus, longWord(corpus))),
    ask('… beside a common one', () => `${misspell(corpus, longWord(corpus))} ${COMMON_WORD}`),
    ask('two characters', () => corpus.characters(2)),
    ask('four characters', () => corpus.characters(4), { language: 'ja' }),
    ask('nothing is found', () => `zzxqy${corpus.pick(1000)} ${word(MIDDLING)}`),
  ]
}

function longWord(corpus: SearchCorpus): string {
  for (;;) {
    const word = corpus.word(MIDDLING * (1 + corpus.pick(15)))
    if (word.length >= 7) return word
  }
}

/** Two neighbours swapped, or one letter gone. */
function misspell(corpus: SearchCorpus, word: string): string {
  const at = 1 + corpus.pick(word.length - 3)
  const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  return corpus.pick(2) === 0 ? swapped : word.slice(0, at) + word.slice(at + 1)
}
