import type { ScoredPassage } from './score.ts'

/**
 * Below this confidence a question counts as not answered. Calibrated with one half of the questions of
 * `npm run bench -- answers`, with and without `--real`; the other half checks it.
 */
export const CONFIDENCE_MIN = 0.49

/** The weights of a logistic regression, fitted to the same half. That of a name is ours: few questions have one. */
const WEIGHT = {
  ...{ bias: -0.4, coverage: 0.8, ownCoverage: 0.55, restCoverage: 0.65, lead: 0.75, named: 0.55, evidence: 1 },
  ...{ rival: -0.9, lacking: -1.2, lacksName: -2 },
}
const LACKING_MAX = 3
/** What about three rare words say. More of them prove no more. */
const EVIDENCE_MAX = 10

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
    WEIGHT.lead * best.lead +
    WEIGHT.named * best.named +
    (WEIGHT.evidence * Math.min(EVIDENCE_MAX, best.evidence)) / EVIDENCE_MAX +
    WEIGHT.rival * ((rival?.score ?? 0) / best.score) +
    WEIGHT.lacking * Math.min(LACKING_MAX, best.lacking) +
    (best.lacksName ? WEIGHT.lacksName : 0)
  return Math.round(1000 / (1 + Math.exp(-sum))) / 1000
}

/** A passage with less of the question is about something else, unless its title or heading names a part of it. */
const RELATED = { coverage: 0.5, named: 0.25 }

/** Whether it may help somebody whose question it does not answer. */
export const isRelated = ({ coverage, named }: Pick<ScoredPassage, 'coverage' | 'named'>): boolean =>
  coverage >= RELATED.coverage || named >= RELATED.named
