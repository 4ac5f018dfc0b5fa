import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { compounds, withVerbPrefixes } from '../full-text/languages/index.ts'
import type { Token } from '../full-text/tokens.ts'
import { completionsOf } from '../vocabulary/vocabulary.ts'
import { selectForms, selectWordCounts } from '../vocabulary/vocabulary-queries.ts'
import type { QueryWord, ReadQuery, Variant } from './query-words.ts'
import type { FindInQuery } from './synonyms.ts'

/** How well another word or code replaces a word of the query. */
const FIT = { joined: 0.95, code: 0.9, synonym: 0.8, completion: 0.7, split: 0.8, everydaySynonym: 0.6, compound: 0.55 }

/** Each is one more term to look up. */
const VARIANTS_MAX = 60
/** The characters between two words that may be written as one: a space or a hyphen. */
const GAP_MAX = 1
const WORD_LENGTH_MAX = 40
const PART_LENGTH_MIN = 3
/** What German and its neighbours put between the parts of a word. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e', 'er']
const VERB_LENGTH_MIN = 4
/** German and Dutch verbs end in one of these letters, in nearly all forms. */
const VERB = /^\p{L}+[nte]$/u
const COMPOUND_START_MIN = 3
const COMPOUND_LONGER_MIN = 3
const COMPOUNDS_MAX = 8
const CODE = /^(?:\p{L}+\p{N}+|\p{N}+\p{L}+)$/u
const CODE_PARTS = /\p{L}+|\p{N}+/gu
const DIGIT = /\p{N}/u
const LETTERS_ONLY = /^\p{L}+$/u

export interface ExpandedQuery {
  words: QueryWord[]
  /** The number of texts of the organisation with each word as it was typed. */
  counts: ReadonlyMap<string, number>
}

/**
 * Adds what texts may contain in place of the words: completions of the last one, the same words written together or
 * apart, longer words that begin with them, and synonyms.
 */
export async function expandWords(
  db: Db,
  orgId: OrgId,
  { tokens, words }: ReadQuery,
  languages: readonly string[],
  synonymsIn: FindInQuery,
  completedTextsMax: number,
): Promise<ExpandedQuery> {
  const joins = joinsOf(tokens)
  const prefixed = new Map(words.map((word) => [word, prefixedOf(word, languages)]))
  const asked = [...words.map(({ text }) => text), ...joins.map(({ text }) => text), ...[...prefixed.values()].flat()]
  const last = words.find(({ at, isGram }) => at === tokens.length - 1 && !isGram)
  const [counts, completions, longer] = await Promise.all([
    selectWordCounts(db, orgId, languages, [...new Set(asked)]),
    last === undefined ? [] : completionsOf(db, orgId, languages, last.text, completedTextsMax),
    compoundsOf(db, orgId, words, languages),
  ])
  const splits = await findSplits(db, orgId, words, languages, counts)
  const same = languages.flatMap((language) => synonymsIn(tokens, language).map((found) => ({ ...found, language })))
  const expanded = words.map((word): QueryWord => {
    const more: Variant[] = []
    for (const { text, at } of joins) {
      if ((at === word.at || at + 1 === word.at) && (counts.has(text) || DIGIT.test(text)))
        more.push({ parts: [{ text, isGram: false }], isAnyForm: true, fit: FIT.joined })
    }
    const split = splits.get(word)
    if (split !== undefined)
      more.push({
        parts: split.map((text) => ({ text, isGram: false })),
        isAnyForm: true,
        fit: CODE.test(word.text) ? FIT.code : FIT.split,
      })
    if (word === last)
      for (const known of completions) more.push(toVariant(known.language, known.word, false, FIT.completion))
    for (const known of longer.get(word) ?? []) more.push(toVariant(known.language, known.word, false, FIT.compound))
    for (const text of prefixed.get(word) ?? []) {
      if (counts.has(text)) more.push({ parts: [{ text, isGram: false }], isAnyForm: true, fit: FIT.compound })
    }
    for (const { language, from, to, others, isEveryday } of same) {
      if (word.at < from || word.at >= to || (isEveryday && word.isHint)) continue
      const fit = isEveryday ? FIT.everydaySynonym : FIT.synonym
      for (const parts of others) {
        more.push({ language, parts, isAnyForm: true, fit, ...(isEveryday && { isEveryday }) })
      }
    }
    const best = more.sort((a, b) => b.fit - a.fit).slice(0, VARIANTS_MAX)
    return { ...word, variants: [...word.variants, ...best] }
  })
  return { words: expanded, counts }
}

const toVariant = (language: string, text: string, isAnyForm: boolean, fit: number): Variant => ({
  language,
  parts: [{ text, isGram: false }],
  isAnyForm,
  fit,
})

/** Returns neighbouring words written as one: "auto fill", "E 10". `at` is the index of the first. */
function joinsOf(tokens: readonly Token[]): { text: string; at: number }[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]
    if (next === undefined || token.isGram || next.isGram || next.start - token.end > GAP_MAX) return []
    const text = token.text + next.text
    return text.length > WORD_LENGTH_MAX ? [] : [{ text, at }]
  })
}

/** Returns the parts of codes and of words that no text has. */
async function findSplits(
  db: Db,
  orgId: OrgId,
  words: readonly QueryWord[],
  languages: readonly string[],
  counts: ReadonlyMap<string, number>,
): Promise<Map<QueryWord, string[]>> {
  const possible = words
    .filter(({ text }) => CODE.test(text) || !counts.has(text))
    .map((word) => ({ word, splits: splitsOf(word, languages) }))
  const parts = possible.flatMap(({ word, splits }) => (CODE.test(word.text) ? [] : splits.flat()))
  const known = await selectWordCounts(db, orgId, languages, [...new Set(parts)])
  const found = new Map<QueryWord, string[]>()
  for (const { word, splits } of possible) {
    const split = splits.find((each) => CODE.test(word.text) || each.every((part) => known.has(part)))
    if (split !== undefined) found.set(word, split)
  }
  return found
}

/** Returns the pairs of words of which a word may consist, those with the most even lengths first. */
function splitsOf({ text, isGram }: QueryWord, languages: readonly string[]): string[][] {
  if (isGram) return []
  if (CODE.test(text)) return [text.match(CODE_PARTS) ?? []]
  if (!LETTERS_ONLY.test(text)) return []
  const links = languages.some(compounds) ? LINKS : ['']
  const splits: [string, string][] = []
  for (let at = PART_LENGTH_MIN; at <= text.length - PART_LENGTH_MIN; at++) {
    const [before, second] = [text.slice(0, at), text.slice(at)]
    for (const link of links) {
      const first = before.slice(0, at - link.length)
      if (before.endsWith(link) && first.length >= PART_LENGTH_MIN) splits.push([first, second])
    }
  }
  const shorter = (parts: readonly string[]) => Math.min(...parts.map(({ length }) => length))
  return splits.sort((a, b) => shorter(b) - shorter(a))
}

const prefixedOf = ({ text, isGram, isHint }: QueryWord, languages: readonly string[]): string[] =>
  isGram || isHint || text.length < VERB_LENGTH_MIN || !VERB.test(text)
    ? []
    : languages.flatMap((language) => withVerbPrefixes(text, language))

/** Returns longer words that begin with a word, in languages that write several as one: Gas, Gashahn. */
async function compoundsOf(
  db: Db,
  orgId: OrgId,
  words: readonly QueryWord[],
  languages: readonly string[],
): Promise<Map<QueryWord, { language: string; word: string }[]>> {
  const compounding = languages.filter(compounds)
  const first = words.filter(
    ({ text, isGram, isHint }) => !(isGram || isHint) && text.length >= COMPOUND_START_MIN && LETTERS_ONLY.test(text),
  )
  if (compounding.length === 0 || first.length === 0) return new Map()
  const prefixes = compounding.flatMap((language) => first.map(({ text }) => ({ language, prefix: text })))
  const forms = await selectForms(db, orgId, prefixes)
  forms.sort((a, b) => b.texts - a.texts || (a.word < b.word ? -1 : 1))
  return new Map(
    first.map((word) => [
      word,
      forms
        .filter((form) => form.word.startsWith(word.text) && form.word.length >= word.text.length + COMPOUND_LONGER_MIN)
        .slice(0, COMPOUNDS_MAX),
    ]),
  )
}
