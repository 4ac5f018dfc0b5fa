import type { ScoredPassage } from './score.ts'

/**
 * Below this confidence a question counts as not answered. Calibrated with one half of the questions of
 * `npm run bench -- answers`; the other half checks it.
 */
export const CONFIDENCE_MIN = 0.62

/** The weights of a logistic regression, fitted to the same half. */
const WEIGHT = { bias: 1.16, coverage: 1.7, ownCoverage: 0.76, restCoverage: 1.09, rival: -1.11, lacking: -1.83 }
const LACKING_MAX = 3

/** Returns from 0 to 1 how likely the best passage answers the question. */
export function confidenceOf(passages: readonly ScoredPassage[]): number {
  const [best] = passages
  if (best === undefined || best.score === 0) return 0
  const rival = passages.find(({ article_id }) => article_id !== best.article_id)
  const sum =
    WEIGHT.bias +
    WEIGHT.coverage * best.coverage +
    WEIGHT.ownCoverage * best.ownCoverage +
    WEIGHT.restCoverage * best.restCoverage +
    WEIGHT.rival * ((rival?.score ?? 0) / best.score) +
    WEIGHT.lacking * Math.min(LACKING_MAX, best.lacking)
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000
}
