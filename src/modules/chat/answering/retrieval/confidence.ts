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

/**
 * Who tells what happened uses many words that no passage has. If one passage has this many words of the question, which say this much
 * together, and the next article is this far behind, it is what they mean.
 */
const UNMISTAKABLE = { foundMin: 3, evidenceMin: 12, rivalMax: 0.8 }

/** Returns from 0 to 1 how likely the best passage answers the question. */
export function confidenceOf(passages: readonly ScoredPassage[]): number {
  const [best] = passages
  if (best === undefined || best.score === 0) return 0
  const next = passages.find(({ article_id }) => article_id !== best.article_id)
  const rival = (next?.score ?? 0) / best.score
  const sum =
    WEIGHT.bias +
    WEIGHT.coverage * best.coverage +
    WEIGHT.ownCoverage * best.ownCoverage +
    WEIGHT.restCoverage * best.restCoverage +
    WEIGHT.lead * best.lead +
    WEIGHT.named * best.named +
    (WEIGHT.evidence * Math.min(EVIDENCE_MAX, best.evidence)) / EVIDENCE_MAX +
    WEIGHT.rival * rival +
    WEIGHT.lacking * Math.min(LACKING_MAX, best.lacking) +
    (best.lacksName ? WEIGHT.lacksName : 0)
  const likely = Math.round(1000 / (1 + Math.exp(-sum))) / 1000
  return isUnmistakable(best, rival) ? Math.max(CONFIDENCE_MIN, likely) : likely
}

const isUnmistakable = ({ found, evidence, lacksName }: ScoredPassage, rival: number): boolean =>
  !lacksName && found >= UNMISTAKABLE.foundMin && evidence >= UNMISTAKABLE.evidenceMin && rival <= UNMISTAKABLE.rivalMax

/** A passage with less of the question is about something else, unless its title or heading names a part of it. */
const RELATED = { coverage: 0.5, named: 0.25, found: 3, evidence: 10 }

/** Whether it may help somebody whose question it does not answer. */
export const isRelated = ({ coverage, named, found, evidence }: ScoredPassage): boolean =>
  coverage >= RELATED.coverage || named >= RELATED.named || (found >= RELATED.found && evidence >= RELATED.evidence)
