import { createHash } from 'node:crypto'
import { serve } from '../../../../platform/bounded/serve.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { Terms } from '../terms.ts'
import { fileKeys, type SpelledWord } from '../vocabulary/misspelling-keys.ts'
import { type AnalysedText, analyse, type SearchableText } from './analyse.ts'
import { type AnalysedPassage, analysePassages } from './analyse-passages.ts'

export interface TextTask {
  orgId: OrgId
  text: SearchableText
  digest: string | undefined
}

export interface KeysTask {
  orgId: OrgId
  words: readonly SpelledWord[]
}

/** An analysed text in the form in which it is stored: few long strings, which pass between threads quickly. */
export interface IndexEntry extends Omit<AnalysedText, 'terms' | 'words'> {
  digest: string
  /** Separated by spaces. */
  terms: string
  termCount: number
  /** JSON arrays of words. */
  wordLists: string[]
  passages: (Omit<AnalysedPassage, 'terms'> & { terms: string })[]
  /** The terms of all passages together. */
  passageTermCount: number
}

/** Adding this many words to the vocabulary takes about a millisecond. */
const LIST_WORDS_MAX = 250
const STEMS_MAX = 100_000

/** Texts of one language share most of their words. */
const stems = new Map<string, Map<string, string>>()

serve((task: TextTask | KeysTask) => ('text' in task ? toEntry(task) : fileKeys(task.orgId, task.words)))

function toEntry({ orgId, text, digest: indexed }: TextTask): IndexEntry | undefined {
  const hash = createHash('sha256')
  for (const part of [text.title, text.plain, text.content]) hash.update(part).update('\0')
  const digest = hash.digest('base64url')
  if (digest === indexed) return undefined
  const known = stems.getOrInsertComputed(text.language, () => new Map())
  if (known.size > STEMS_MAX) known.clear()
  const of = new Terms(orgId)
  const passages = analysePassages(text, of, known)
  const headings = new Set(passages.flatMap((passage) => JSON.parse(passage.headings) as string[]))
  const { terms, words, ...analysed } = analyse(text, [...headings], of, known)
  // Sorted, so that the words of a list are neighbours in the database.
  words.sort()
  const wordLists: string[] = []
  for (let from = 0; from < words.length; from += LIST_WORDS_MAX) {
    wordLists.push(JSON.stringify(words.slice(from, from + LIST_WORDS_MAX)))
  }
  return {
    ...analysed,
    digest,
    terms: terms.join(' '),
    termCount: terms.length,
    wordLists,
    passages: passages.map((passage) => ({ ...passage, terms: passage.terms.join(' ') })),
    passageTermCount: passages.reduce((sum, passage) => sum + passage.terms.length, 0),
  }
}
