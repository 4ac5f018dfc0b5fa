import type { RankedPassage } from '../../../knowledge/passages/index.ts'
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
/** What remains of the score of a passage that has nearly none of the words. */
const UNCOVERED_SHARE = 0.3

/** Scores passages of one language. */
export class Scorer {
  readonly #terms: readonly WeightedTerm[]
  /** The terms that a word of a passage matches. */
  readonly #byWord = new Map<string, { term: number; fit: number }[]>()
  readonly #total: number
  readonly #isHowTo: boolean

  constructor(terms: readonly WeightedTerm[], isHowTo: boolean) {
    this.#terms = terms
    this.#isHowTo = isHowTo
    for (const [term, { alternatives }] of terms.entries()) {
      for (const { word, fit } of alternatives) {
        this.#byWord.getOrInsertComputed(word, () => []).push({ term, fit })
      }
    }
    this.#total = terms.reduce((sum, { importance, isHint }) => sum + (isHint ? 0 : importance), 0)
  }

  score(passage: RankedPassage): ScoredPassage {
    const title = this.#fits(passage.title_words)
    const heading = this.#fits(passage.heading_words)
    const words = split(passage.words)
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
    for (const [n, { importance, weight, isHint }] of this.#terms.entries()) {
      const count = counts[n] ?? 0
      const [inTitle, inHeading, inBody] = [title[n] ?? 0, heading[n] ?? 0, body[n] ?? 0]
      const frequency = (count * (SATURATION + 1)) / (count + dilution)
      sum += importance * (frequency + WEIGHT.title * inTitle + WEIGHT.heading * inHeading)
      inTitles += importance * inTitle
      if (isHint) continue
      covered += importance * Math.max(inTitle, inHeading, inBody)
      ownCovered += importance * Math.max(inHeading, inBody)
      if (Math.max(inTitle, inHeading, inBody) === 0) lacking += weight
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
      preference: this.#isHowTo && passage.has_steps ? 1 + STEPS_SHARE * Math.min(1, this.#share(inTitles)) : 1,
    }
  }

  /** Returns how much of the question these words have. */
  weigh(words: readonly string[]): number {
    return this.#share(
      this.#terms.reduce((sum, { alternatives, importance, isHint }) => {
        const fits = alternatives.filter(({ word }) => words.includes(word)).map(({ fit }) => fit)
        return isHint ? sum : sum + importance * Math.max(0, ...fits)
      }, 0),
    )
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

const split = (words: string): string[] => (words === '' ? [] : words.split(' '))
