import type { RankedPassage } from '../../../knowledge/passages/index.ts'
import { leadsOf } from './leads.ts'
import type { Term } from './question-terms.ts'

/** A term with how much it says: rare words say more. */
export interface WeightedTerm extends Term {
  importance: number
}

export interface ScoredPassage extends RankedPassage {
  score: number
  /** The share of the question that the passage has, with its title and headings. */
  coverage: number
  /** The same without the title, which all passages of the article share. */
  ownCoverage: number
  /** The share of what the title does not say that the passage does. A title alone answers nothing. */
  restCoverage: number
  /** How many words of the question it lacks, by their weight. */
  lacking: number
  /** How many words of the question it has, by their weight. */
  found: number
  /** How much the words that it has say, together: rare ones say more. */
  evidence: number
  /** Whether it lacks a name that the question asks for. */
  lacksName: boolean
  /** How much the title or a heading says the same as the question, from 0 to 1. */
  lead: number
  /** How much of the question a title or a heading says that has no other words. */
  named: number
  /** How much better it fits the question than other passages of the article, from 1. */
  preference: number
}

/** BM25: a word that occurs again counts less each time, and less in a long passage. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.4
const USUAL_LENGTH = 60
const WEIGHT = { title: 0.8, wholeTitle: 0.5, heading: 0.9, nearby: 0.3 }
/** What steps gain if the question is how to do something, and the title says what. They need not repeat it. */
const STEPS_SHARE = 1.5
/** A title that leaves less of the question than this says all of it. */
const REST_MIN = 0.05
/** Two words this far apart belong together. */
const NEARBY_MAX = 8
/** What a passage gains whose title or heading says the same as the question. */
const LEAD_SHARE = 0.7
/** What is lacking if only the verb is that asks how to do something. */
const ACTION_SHARE = 0.3
/** What a word of a name is worth where the others do not follow it. */
const WITHOUT_NAME = 0.3
/** What remains of the score of a passage that has nearly none of the words. */
const UNCOVERED_SHARE = 0.3

/** Scores passages of one language. */
export class Scorer {
  readonly #terms: readonly WeightedTerm[]
  /** The terms that a word of a passage matches. */
  readonly #byWord = new Map<string, { term: number; fit: number }[]>()
  readonly #total: number
  readonly #isHowTo: boolean
  /** The terms of each name, in order. */
  readonly #names: readonly number[][]

  constructor(terms: readonly WeightedTerm[], isHowTo: boolean) {
    this.#terms = terms
    this.#isHowTo = isHowTo
    for (const [term, { alternatives }] of terms.entries()) {
      for (const { word, fit } of alternatives) {
        this.#byWord.getOrInsertComputed(word, () => []).push({ term, fit })
      }
    }
    this.#names = [...new Set(terms.map(({ name }) => name))].flatMap((name) => {
      const own = name.map((word) => terms.findIndex(({ text }) => text === word)).filter((term) => term >= 0)
      return own.length > 0 ? [own] : []
    })
    this.#total = terms.reduce((sum, { importance, isHint }) => sum + (isHint ? 0 : importance), 0)
  }

  score(passage: RankedPassage): ScoredPassage {
    const title = this.#fits(passage.title_words)
    const heading = this.#fits(passage.heading_words)
    const words = split(passage.words)
    const absent = this.#absentNames([split(passage.title_words), split(passage.heading_words), words])
    const shares = this.#sharesWithout(absent)
    const counts = this.#terms.map(() => 0)
    const body = this.#terms.map(() => 0)
    /** How near two different terms come to each other, by pair. */
    const near = new Map<number, number>()
    let last: { term: number; at: number } | undefined
    for (const [at, word] of words.entries()) {
      for (const { term, fit } of this.#byWord.get(word) ?? []) {
        counts[term] = (counts[term] ?? 0) + fit
        body[term] = Math.max(body[term] ?? 0, fit)
        if (last !== undefined && last.term !== term && at - last.at <= NEARBY_MAX) {
          const pair = Math.min(last.term, term) * this.#terms.length + Math.max(last.term, term)
          const bonus = Math.min(this.#importance(last.term), this.#importance(term)) / Math.max(1, at - last.at)
          near.set(pair, Math.max(near.get(pair) ?? 0, bonus))
        }
        last = { term, at }
      }
    }
    const dilution = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / USUAL_LENGTH)
    let sum = 0
    let covered = 0
    let ownCovered = 0
    let inTitles = 0
    let rest = 0
    let restCovered = 0
    let lacking = 0
    let found = 0
    for (const [n, { importance, weight, isHint }] of this.#terms.entries()) {
      const share = shares[n] ?? 1
      const count = share * (counts[n] ?? 0)
      const [inTitle, inHeading, inBody] = [title, heading, body].map((fits) => share * (fits[n] ?? 0)) as Fits
      const frequency = (count * (SATURATION + 1)) / (count + dilution)
      sum += importance * (frequency + WEIGHT.title * inTitle + WEIGHT.heading * inHeading)
      inTitles += importance * inTitle
      if (isHint) continue
      covered += importance * Math.max(inTitle, inHeading, inBody)
      ownCovered += importance * Math.max(inHeading, inBody)
      if (Math.max(inTitle, inHeading, inBody) === 0) lacking += weight
      else found += weight
      rest += importance * (1 - inTitle)
      restCovered += importance * Math.max(0, Math.max(inHeading, inBody) - inTitle)
    }
    for (const bonus of near.values()) sum += WEIGHT.nearby * bonus
    // A title that says little else is about just this.
    sum += WEIGHT.wholeTitle * inTitles * this.#sharedBy(passage.title_words)
    const coverage = this.#share(covered)
    return {
      ...passage,
      score: sum * (UNCOVERED_SHARE + (1 - UNCOVERED_SHARE) * coverage),
      coverage,
      ownCoverage: this.#share(ownCovered),
      restCoverage: rest < REST_MIN * this.#total ? 1 : restCovered / rest,
      lacking,
      found,
      evidence: covered,
      lacksName: absent.length > 0,
      lead: 0,
      named: 0,
      preference: this.#isHowTo && passage.has_steps ? 1 + STEPS_SHARE * Math.min(1, this.#share(inTitles)) : 1,
    }
  }

  /** Compares the question with the title and each of the headings above a passage. */
  withLead(passage: ScoredPassage): ScoredPassage {
    let [lead, named] = [0, 0]
    for (const { words, share } of leadsOf(passage)) {
      const said = this.weigh(words)
      const own = words.length === 0 ? 0 : words.filter((word) => this.#byWord.has(word)).length / words.length
      lead = Math.max(lead, said + own === 0 ? 0 : (share * 2 * said * own) / (said + own))
      if (own === 1) named = Math.max(named, said)
    }
    // "How do I compute the offset?" is answered by "Offset", although that never says "compute".
    const isAsked = this.#isHowTo && named > 0 && passage.lacking <= 1
    const lacking = isAsked ? ACTION_SHARE * passage.lacking : passage.lacking
    return { ...passage, lead, named, lacking, score: passage.score * (1 + LEAD_SHARE * lead) }
  }

  /** Returns how the misspelt words of the question are spelled in a passage. */
  spellings({ title_words, heading_words, words }: RankedPassage): Map<string, string> {
    const has = new Set([title_words, heading_words, words].flatMap(split))
    return new Map(
      this.#terms.flatMap(({ text, alternatives }): [string, string][] => {
        const spelling = alternatives.find((each) => each.spelling !== undefined && has.has(each.word))?.spelling
        return spelling === undefined ? [] : [[text, spelling]]
      }),
    )
  }

  /** Returns how much of the question these words have. */
  weigh(words: readonly string[]): number {
    const shares = this.#sharesWithout(this.#absentNames([words]))
    return this.#share(
      this.#terms.reduce((sum, { alternatives, importance, isHint }, n) => {
        const fits = alternatives.filter(({ word }) => words.includes(word)).map(({ fit }) => fit)
        return isHint ? sum : sum + importance * (shares[n] ?? 1) * Math.max(0, ...fits)
      }, 0),
    )
  }

  /** Returns the names that none of these texts has, by their terms. */
  #absentNames(texts: readonly (readonly string[])[]): (readonly number[])[] {
    const isAt = (words: readonly string[], from: number, name: readonly number[]) =>
      name.every((term, n) => this.#byWord.get(words[from + n] ?? '')?.some((match) => match.term === term))
    return this.#names.filter((name) => !texts.some((words) => words.some((_, from) => isAt(words, from, name))))
  }

  /** Returns what each term counts in a text without these names. */
  #sharesWithout(names: readonly (readonly number[])[]): number[] {
    return this.#terms.map((_, n) => (names.some((name) => name.includes(n)) ? WITHOUT_NAME : 1))
  }

  #fits(words: string): number[] {
    const fits = this.#terms.map(() => 0)
    for (const word of split(words)) {
      for (const { term, fit } of this.#byWord.get(word) ?? []) fits[term] = Math.max(fits[term] ?? 0, fit)
    }
    return fits
  }

  /** Returns the share of the words that the question has. */
  #sharedBy(words: string): number {
    const all = split(words)
    return all.length === 0 ? 0 : all.filter((word) => this.#byWord.has(word)).length / all.length
  }

  #importance(term: number): number {
    return this.#terms[term]?.importance ?? 0
  }

  #share(covered: number): number {
    return this.#total === 0 ? 0 : covered / this.#total
  }
}

type Fits = [title: number, heading: number, body: number]

const split = (words: string): string[] => (words === '' ? [] : words.split(' '))
