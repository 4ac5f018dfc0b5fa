import { type VisitorQuery, visitorQuery } from '../../../platform/http/lists/visitor-query.ts'

const VIA = 'via'
const VIA_LENGTH_MAX = 64

/** The query of a scanned address. */
export interface ScanQuery extends VisitorQuery {
  /** How the visitor got the address, such as `nfc`. Tells us, and is not passed on to the destination. */
  readonly via: string | undefined
  /** What is stored, without it. */
  readonly passedOn: Readonly<Record<string, string>>
}

export function scanQuery(search: string): ScanQuery {
  const { pairs, stored } = visitorQuery(search)
  if (stored[VIA] === undefined) return { pairs, stored, via: undefined, passedOn: stored }
  const { [VIA]: via, ...passedOn } = stored
  const others = pairs.filter(([key]) => key !== VIA)
  return { pairs: others, stored, via: via?.slice(0, VIA_LENGTH_MAX) || undefined, passedOn }
}
