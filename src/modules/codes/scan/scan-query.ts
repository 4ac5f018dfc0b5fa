import { type VisitorQuery, visitorQuery } from '../../../platform/http/lists/visitor-query.ts'

const VIA = 'via'
const VIA_LENGTH_MAX = 64

/** The query of a scanned address. */
export interface ScanQuery extends VisitorQuery {
  /** How the visitor got the address, such as `nfc`. Tells us, and is not passed on to the destination. */
  readonly via: string | undefined
}

export function scanQuery(search: string): ScanQuery {
  const { pairs, stored } = visitorQuery(search)
  const via = stored[VIA]
  if (via === undefined) return { pairs, stored, via }
  return { pairs: pairs.filter(([key]) => key !== VIA), stored, via: via.slice(0, VIA_LENGTH_MAX) || undefined }
}
