import { SharedCache } from '../../../../platform/bounded/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import {
  findEverydaySynonyms,
  findSynonyms,
  type StoredSynonyms,
  type SynonymSettings,
  selectSynonymSettings,
} from '../../synonyms/index.ts'
import { isFunctionWord, stem } from '../full-text/languages/index.ts'
import { tokenize } from '../full-text/tokens.ts'
import type { WordPart } from './query-words.ts'

/** Words and phrases of the query that have synonyms, with what may stand in their place. */
interface FoundSynonym {
  /** The tokens of the query, from the first to before the last. */
  from: number
  to: number
  others: WordPart[][]
  /** Whether they are our own synonyms, not those of the knowledge base. */
  isEveryday: boolean
}

/** Finds the synonyms of the words and phrases of a query in one language. */
export type FindInQuery = (tokens: readonly WordPart[], language: string) => FoundSynonym[]

/** One word or phrase, as words. */
type Phrase = readonly WordPart[]

/** A phrase that begins with a stem, and its group. */
interface Entry {
  phrase: Phrase
  group: readonly Phrase[]
}

/** Includes its places in the indexes of some languages. */
const PHRASE_BYTES = 1000
const LANGUAGES_KEPT = 4
/** Longer phrases are not found. */
const PARTS_MAX = 16
/** A word may be in all groups of a knowledge base, and many times in a question. */
const FOUND_MAX = 200

/** Groups of synonyms, ready to be found in queries. */
class SynonymGroups {
  readonly digest: string
  /** Approximate. */
  readonly bytes: number
  readonly #groups: readonly (readonly Phrase[])[]
  readonly #isEveryday: boolean
  /** The keys are languages, then stems. */
  readonly #byFirst = new Map<string, Map<string, Entry[]>>()

  constructor({ digest, groups }: StoredSynonyms, isEveryday: boolean) {
    this.digest = digest
    this.bytes = PHRASE_BYTES * groups.reduce((sum, { length }) => sum + length, 0)
    this.#isEveryday = isEveryday
    this.#groups = groups.map((group) =>
      group
        .map((phrase) => [...tokenize(phrase, false)].map(({ text, isGram }) => ({ text, isGram })))
        .filter(({ length }) => length > 0 && length <= PARTS_MAX),
    )
  }

  find(tokens: readonly WordPart[], language: string): FoundSynonym[] {
    if (this.#byFirst.size >= LANGUAGES_KEPT && !this.#byFirst.has(language)) this.#byFirst.clear()
    const byFirst = this.#byFirst.getOrInsertComputed(language, () => this.#index(language))
    const stems = tokens.map((token) => stemOf(token, language))
    const found: FoundSynonym[] = []
    for (const from of tokens.keys()) {
      for (const { phrase, group } of byFirst.get(stems[from] as string) ?? []) {
        if (found.length === FOUND_MAX) return found
        if (!phrase.every((part, n) => stems[from + n] === stemOf(part, language))) continue
        const others = group.filter((other) => other !== phrase).map((other) => withoutFunctionWords(other, language))
        found.push({ from, to: from + phrase.length, others, isEveryday: this.#isEveryday })
      }
    }
    return found
  }

  #index(language: string): Map<string, Entry[]> {
    const byFirst = new Map<string, Entry[]>()
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

/** Nearly every text has the "in" of "log in", and ranking does not look for it in titles. */
function withoutFunctionWords(phrase: Phrase, language: string): WordPart[] {
  const content = phrase.filter(({ text }) => !isFunctionWord(text, language))
  return [...(content.length > 0 ? content : phrase)]
}

/** Preparing the longest list takes some 20 ms, so those in use are kept. */
const LIMITS = { bytesMax: 64 * 2 ** 20, bytesPerKeyMax: 16 * 2 ** 20 }
const prepared = new SharedCache<SynonymGroups>(LIMITS, ({ bytes }) => bytes)

/** The keys are languages: at most as many as the interface has. */
const everyday = new Map<string, SynonymGroups>()

/** Only a chatbot uses several knowledge bases. Preparing the synonyms of more would take too long. */
const BASES_MAX = 5

/**
 * Returns how to find synonyms in a query: those of the knowledge bases, and everyday ones unless all of them have these
 * turned off. `undefined` are all knowledge bases of the organisation. With none, there are only everyday synonyms.
 */
export async function findSynonymsOf(
  db: Db,
  orgId: OrgId,
  knowledgeBaseIds: readonly string[] | undefined,
): Promise<FindInQuery> {
  const settings =
    knowledgeBaseIds?.length === 0 ? [] : await selectSynonymSettings(db, orgId, knowledgeBaseIds, BASES_MAX)
  const own = await Promise.all(settings.map((base) => findOwnGroups(db, orgId, base)))
  const hasEveryday = settings.length === 0 || settings.some((base) => base.everyday_synonyms)
  return (tokens, language) => {
    const groups = [...own, hasEveryday ? everydayGroups(language) : undefined]
    return groups.flatMap((each) => each?.find(tokens, language) ?? [])
  }
}

async function findOwnGroups(
  db: Db,
  orgId: OrgId,
  { knowledge_base_id: id, digest }: SynonymSettings,
): Promise<SynonymGroups | undefined> {
  if (digest === null) return undefined
  const prepare = async () => {
    const stored = await findSynonyms(db, orgId, id)
    return stored && new SynonymGroups(stored, false)
  }
  // They may be replaced between the two statements.
  return prepared.fetch(orgId, `${orgId} ${digest}`, prepare, (groups) => groups.digest === digest)
}

function everydayGroups(tag: string): SynonymGroups | undefined {
  const [language = tag] = tag.split('-', 1)
  const known = everyday.get(language)
  if (known !== undefined) return known
  const groups = findEverydaySynonyms(language)
  if (groups === undefined) return undefined
  const made = new SynonymGroups({ digest: language, groups }, true)
  everyday.set(language, made)
  return made
}
