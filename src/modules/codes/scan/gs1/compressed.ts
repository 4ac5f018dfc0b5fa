import type { VisitorQuery } from '../../../../platform/http/lists/visitor-query.ts'
import { compressLink, decompressLink, isAssignedAi, linkPath } from '../../gs1/index.ts'
import { type Gs1Address, toGs1Address } from '../address.ts'

const PATH = /^((?:\/g\/[a-z0-9-]{1,63})?)(\/.+)$/

/** What a compressed link says, as the address and the query of the plain link. */
export interface PlainLink {
  address: Gs1Address
  /** Empty, or with a question mark in front. */
  search: string
  path: string
}

/** Undefined for a path that is no compressed link. */
export function parseCompressed(path: string): PlainLink | undefined {
  const [, prefix = '', compressed = ''] = PATH.exec(path) ?? []
  const found = decompressLink(compressed)
  if (found === undefined) return undefined
  const query = new URLSearchParams(found.query as [string, string][]).toString()
  return {
    address: toGs1Address(found.link, prefix === '' ? null : prefix.slice('/g/'.length)),
    search: query === '' ? '' : `?${query}`,
    path: prefix + linkPath(found.link),
  }
}

/** The compressed form, with the attributes of the query. */
export const compressedPath = ({ link, organisation }: Gs1Address, pairs: VisitorQuery['pairs']): string => {
  const attributes = new Map(pairs.filter(([key]) => isAssignedAi(key) && key !== link.key))
  return (organisation === null ? '' : `/g/${organisation}`) + compressLink(link, [...attributes])
}
