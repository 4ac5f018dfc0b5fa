import { SharedCache } from '../../../../platform/bounded/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { findSynonyms, findSynonymsDigest, type StoredSynonyms } from '../../synonyms/index.ts'
import { stem } from '../full-text/languages/index.ts'
import { type Token, tokenize } from '../full-text/tokens.ts'
import type { WordPart } from './query-words.ts'

/** Words and phrases of the query that have synonyms, with what may stand in their place. */
interface FoundSynonym {
  /** The tokens of the query, from the first to before the last. */
  from: number
  to: number
  others: WordPart[][]
}

/** One word or phrase, as words. */
type Phrase = readonly WordPart[]

/** Includes its places in the indexes of some languages. */
const PHRASE_BYTES = 1000
const LANGUAGES_KEPT = 4
/** Longer phrases are not found. */
const PARTS_MAX = 16

/** Synonyms of a knowledge base, ready to be found in queries. */
export class SynonymGroups {
  readonly digest: string
  /** Approximate. */
  readonly bytes: number
  readonly #groups: readonly (readonly Phrase[])[]
  /** The keys are languages, then stems. The groups have a phrase that begins with this stem. */
  readonly #byFirst = new Map<string, Map<string, { phrase: Phrase; group: readonly Phrase[] }[]>>()

  constructor({ digest, groups }: StoredSynonyms) {
    this.digest = digest
    this.bytes = PHRASE_BYTES * groups.reduce((sum, { length }) => sum + length, 0)
    this.#groups = groups.map((group) =>
      group
        .map((phrase) => [...tokenize(phrase, false)].map(({ text, isGram }) => ({ text, isGram })))
        .filter(({ length }) => length > 0 && length <= PARTS_MAX),
    )
  }

  find(tokens: readonly Token[], language: string): FoundSynonym[] {
    if (this.#byFirst.size >= LANGUAGES_KEPT && !this.#byFirst.has(language)) this.#byFirst.clear()
    const byFirst = this.#byFirst.getOrInsertComputed(language, () => this.#index(language))
    const found: FoundSynonym[] = []
    for (const [from, token] of tokens.entries()) {
      for (const { phrase, group } of byFirst.get(stemOf(token, language)) ?? []) {
        const to = from + phrase.length
        const isWhole = phrase.every((part, n) => {
          const at = tokens[from + n]
          return at !== undefined && stemOf(at, language) === stemOf(part, language)
        })
        if (isWhole)
          found.push({ from, to, others: group.filter((other) => other !== phrase).map((other) => [...other]) })
      }
    }
    return found
  }

  #index(language: string) {
    const byFirst = new Map<string, { phrase: Phrase; group: readonly Phrase[] }[]>()
    for (const group of this.#groups) {
      for (const phrase of group) {
        const [first] = phrase
        if (first !== undefined) byFirst.getOrInsertComputed(stemOf(first, language), () => []).push({ phrase, group })
      }
    }
    return byFirst
  }
}

const stemOf = ({ text, isGram }: WordPart, language: string): string => (isGram ? text : stem(text, language))

/** Preparing the longest list takes some 20 ms, so those in use are kept. */
const LIMITS = { bytesMax: 64 * 2 ** 20, bytesPerKeyMax: 16 * 2 ** 20 }
const prepared = new SharedCache<SynonymGroups>(LIMITS, ({ bytes }) => bytes)

/** Returns the synonyms of a knowledge base; undefined if it has none. */
export async function findSynonymGroups(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string | undefined,
): Promise<SynonymGroups | undefined> {
  if (knowledgeBaseId === undefined) return undefined
  const digest = await findSynonymsDigest(db, orgId, knowledgeBaseId)
  if (digest === undefined) return undefined
  const prepare = async () => {
    const stored = await findSynonyms(db, orgId, knowledgeBaseId)
    return stored && new SynonymGroups(stored)
  }
  // They may be replaced between the two statements.
  return prepared.fetch(orgId, `${orgId} ${digest}`, prepare, (groups) => groups.digest === digest)
}
