import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { type Db, selectTotal, totalOf } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { findSynonymsOf, frequenciesOf, Terms } from '../../../knowledge/article-search/index.ts'
import {
  type PassageExpression,
  type PassageScope,
  type RankedPassage,
  selectPassageLists,
  selectRanked,
} from '../../../knowledge/passages/index.ts'
import type { AskedQuestion } from '../answer.ts'
import { type AskedTerms, toAskedTerms } from './asked-terms.ts'
import { addCompounds } from './compounds.ts'
import { addJoined, addSeparatedVerbs } from './joined-words.ts'
import type { Term } from './question-terms.ts'
import { type ScoredPassage, Scorer, type WeightedTerm } from './score.ts'
import { addSynonyms } from './synonyms.ts'
import { replaceUnknown } from './unknown-words.ts'

/** A word in more passages says little. Its list is read only together with that of another word. */
const LIST_MAX = 1500
/** How many passages are scored, the most promising first. */
const SCORED_MAX = 200
/** The titles and headings of this many are compared with the question. */
const LED_MAX = 40
/** What the beginning of a section gains under a heading that says the same as the question. */
const BEGINNING_SHARE = 0.25
/** A bot that may use few of the articles looks through this many lots of them. */
const LOTS_MAX = 5
/** What a passage gains in the choice of candidates if the word is in its title or a heading. */
const LEAD_SHARE = 0.6
/** A word that no article has may be a way to put it (less than a rare word) or the very subject (more than none). */
const UNKNOWN_SHARE = 0.9
/** With few passages, a word in one of them would seem frequent. */
const PASSAGES_MIN = 50

export interface SearchedPassages {
  /** Best first. */
  passages: ScoredPassage[]
  /** The keys are languages. */
  scorers: ReadonlyMap<string, Scorer>
  /** Misspelt words that say little, and what they are meant to be. */
  meantWords: ReadonlyMap<string, string>
}

/** The words of the question in one language, and the passages that have them. */
interface QuestionMatches {
  language: ContentLanguage
  isHowTo: boolean
  terms: { term: Term; list: number[]; leadList: number[] }[]
}

/** The words of the question in one language. */
interface Question extends AskedTerms {
  language: ContentLanguage
}

/** Finds the passages in these languages that have the most of what the question says. */
export async function searchPassages(
  db: Db,
  question: AskedQuestion,
  languages: readonly ContentLanguage[],
  scope: PassageScope,
  isCorrecting: boolean,
): Promise<SearchedPassages> {
  const { orgId } = question.bot
  const find = new PassageLists(db, orgId, scope)
  const questions = languages.map((language) => ({ language, ...toAskedTerms(question, language) }))
  const synonymsIn = await findSynonymsOf(db, orgId, basesOf(scope))
  for (const each of questions) {
    const whole = addSeparatedVerbs(question.text, each.language, each.terms)
    const joined = await addJoined(db, orgId, each.language, whole)
    const meant = addSynonyms(synonymsIn, question.text, each.language, joined)
    each.terms = await addCompounds(db, orgId, each.language, meant)
  }
  const asked = await find.read(questions)
  const meantWords = new Map<string, string>()
  if (isCorrecting) {
    for (const each of asked) {
      const unknown = each.terms.filter(({ list }) => list.length === 0).map(({ term }) => term)
      const replaced = await replaceUnknown(db, orgId, each.language, unknown, synonymsIn)
      if (replaced.length === 0) continue
      const [found] = await find.read([{ ...each, terms: replaced.flatMap(({ terms }) => terms) }])
      const known = each.terms.filter(({ term }) => !replaced.some((word) => word.unknown === term))
      each.terms = [...known, ...(found?.terms ?? [])]
      for (const { unknown, meant } of replaced) if (meant !== undefined) meantWords.set(unknown.text, meant)
    }
  }
  const scorers = new Map<string, Scorer>()
  const promise = new Map<number, number>()
  for (const { language, terms, isHowTo } of asked) {
    const weighted = await weigh(db, orgId, language, terms)
    scorers.set(
      language,
      new Scorer(
        weighted.map(({ term }) => term),
        isHowTo,
      ),
    )
    await find.collect(language, weighted, promise)
  }
  const ids = [...promise].sort(([a, one], [b, other]) => other - one || a - b).map(([id]) => id)
  const passages = (await readInScope(db, orgId, ids, scope)).flatMap((passage) => {
    const scored = scorers.get(passage.language)?.score(passage)
    return scored === undefined ? [] : [scored]
  })
  const ranked = applyPreferences(passages).sort(byScore)
  const led = ranked.slice(0, LED_MAX).map((passage) => scorers.get(passage.language)?.withLead(passage) ?? passage)
  const best = preferBeginnings(led)
  return { passages: [...best.sort(byScore), ...ranked.slice(LED_MAX)], scorers, meantWords }
}

/**
 * Lets preferences decide between the passages of an article, but not between articles: the best passage of an article
 * keeps the score that its best passage had.
 */
function applyPreferences(passages: readonly ScoredPassage[]): ScoredPassage[] {
  const byArticle = Map.groupBy(passages, ({ article_id, language }) => `${article_id} ${language}`)
  return [...byArticle.values()].flatMap((own) => {
    const best = Math.max(...own.map(({ score }) => score))
    const preferred = Math.max(...own.map(({ score, preference }) => score * preference))
    return own.map((passage) => ({ ...passage, score: (passage.score * passage.preference * best) / preferred }))
  })
}

/** Lets the first passage under a heading that says the same as the question win: it says what the thing is. */
function preferBeginnings(passages: readonly ScoredPassage[]): ScoredPassage[] {
  const sections = Map.groupBy(
    passages,
    ({ article_id, language, headings }) => `${article_id} ${language} ${headings}`,
  )
  const first = new Set([...sections.values()].map((own) => own.reduce((a, b) => (a.position < b.position ? a : b))))
  return passages.map((passage) =>
    first.has(passage) ? { ...passage, score: passage.score * (1 + BEGINNING_SHARE * passage.lead) } : passage,
  )
}

/** Compares article and position if two are equal, so that both engines return the same. */
const byScore = (a: ScoredPassage, b: ScoredPassage): number =>
  b.score - a.score || a.article_id.localeCompare(b.article_id) || a.position - b.position

interface Listed {
  term: WeightedTerm
  list: number[]
  leadList: number[]
}

const isFrequent = (list: readonly number[]): boolean => list.length > LIST_MAX

/** Determines how much each word says, by how rare it is. */
async function weigh(
  db: Db,
  orgId: OrgId,
  language: ContentLanguage,
  terms: QuestionMatches['terms'],
): Promise<Listed[]> {
  const stored = await selectTotal(db, orgId, totalOf('article_passages', 'language', language))
  const passages = Math.max(PASSAGES_MIN, stored)
  const frequent = terms.filter(({ list, term }) => isFrequent(list) && !term.isGram)
  const texts = await frequenciesOf(
    db,
    orgId,
    frequent.map(({ term }) => ({ language, word: term.text })),
  )
  return terms.map((each) => {
    const { term, list, leadList } = each
    const count = Math.max(list.length, texts[frequent.indexOf(each)] ?? 0)
    const rarity = (having: number) => Math.log(1 + (Math.max(0, passages - having) + 0.5) / (having + 0.5))
    const unknownShare = term.isCode ? 1 : UNKNOWN_SHARE
    const importance = term.weight * (count === 0 ? unknownShare * rarity(0) : rarity(count))
    return { term: { ...term, importance }, list, leadList }
  })
}

/** Returns the knowledge bases whose synonyms count: those of the bot, or all if it has articles and categories instead. */
const basesOf = ({ articleIds, categoryIds, knowledgeBaseIds }: PassageScope): readonly string[] | undefined =>
  articleIds.length > 0 || categoryIds.length > 0 || knowledgeBaseIds.length === 0 ? undefined : knowledgeBaseIds

/** Reads lists of passages from the index. */
class PassageLists {
  readonly #db: Db
  readonly #orgId: OrgId
  readonly #terms: Terms
  /** If the bot may use knowledge bases only, the index knows which passages are in them. */
  readonly #scope: string[]

  constructor(db: Db, orgId: OrgId, { articleIds, categoryIds, knowledgeBaseIds }: PassageScope) {
    this.#db = db
    this.#orgId = orgId
    this.#terms = new Terms(orgId)
    const isByBase = articleIds.length === 0 && categoryIds.length === 0
    this.#scope = isByBase ? knowledgeBaseIds.flatMap((id) => this.#terms.scope(id, undefined)) : []
  }

  /** Reads for each word the passages that have it, and those that have it in the title or a heading. */
  async read(asked: readonly Question[]): Promise<QuestionMatches[]> {
    const expressions = asked.flatMap(({ language, terms }) =>
      terms.flatMap((term) => [this.#having(language, [term]), this.#leading(language, term)]),
    )
    const lists = await this.#read(expressions)
    let at = 0
    const next = () => lists[at++] ?? []
    return asked.map(({ language, isHowTo, terms }) => ({
      language,
      isHowTo,
      terms: terms.map((term) => ({ term, list: next(), leadList: next() })),
    }))
  }

  /** Adds the passages that have words of the question to the candidates, with what the words say. */
  async collect(language: ContentLanguage, terms: readonly Listed[], promise: Map<number, number>): Promise<void> {
    const add = (ids: readonly number[], importance: number) => {
      for (const id of ids) promise.set(id, (promise.get(id) ?? 0) + importance)
    }
    const frequent = terms
      .filter(({ list }) => isFrequent(list))
      .sort((a, b) => b.term.importance - a.term.importance || (a.term.text < b.term.text ? -1 : 1))
    for (const { term, list, leadList } of terms) {
      if (!isFrequent(list)) add(list, term.importance)
      if (!isFrequent(leadList)) add(leadList, term.importance * (LEAD_SHARE + (isFrequent(list) ? 1 : 0)))
    }
    const sets = together(frequent.map(({ term }) => term))
    const lists = await this.#read(sets.map((set) => this.#having(language, set)))
    for (const [n, set] of sets.entries()) {
      add(
        lists[n] ?? [],
        set.reduce((sum, { importance }) => sum + importance, 0),
      )
    }
  }

  #read(expressions: readonly PassageExpression[]): Promise<number[][]> {
    return selectPassageLists(this.#db, this.#orgId, expressions, LIST_MAX + 1)
  }

  #having(language: ContentLanguage, terms: readonly Term[]): PassageExpression {
    return this.#inScope(
      terms.map(({ alternatives }) => alternatives.map(({ word }) => this.#terms.anyForm(language, word))),
    )
  }

  #leading(language: ContentLanguage, { alternatives }: Term): PassageExpression {
    return this.#inScope([alternatives.map(({ word }) => this.#terms.inTitle(language, word))])
  }

  #inScope(expression: PassageExpression): PassageExpression {
    return this.#scope.length > 0 ? [...expression, this.#scope] : expression
  }
}

/** Returns the sets of frequent words whose lists are read together: all of them, and pairs of those that say most. */
function together(terms: readonly WeightedTerm[]): WeightedTerm[][] {
  const [first, second, third] = terms
  if (first === undefined) return []
  if (second === undefined) return [[first]]
  if (third === undefined) return [[first, second]]
  return [[...terms], [first, second], [first, third], [second, third]]
}

async function readInScope(
  db: Db,
  orgId: OrgId,
  ids: readonly number[],
  scope: PassageScope,
): Promise<RankedPassage[]> {
  const passages: RankedPassage[] = []
  for (let lot = 0; lot < LOTS_MAX && passages.length < SCORED_MAX / 2; lot++) {
    const wanted = ids.slice(lot * SCORED_MAX, (lot + 1) * SCORED_MAX)
    if (wanted.length === 0) break
    passages.push(...(await selectRanked(db, orgId, wanted, scope)))
  }
  return passages
}
