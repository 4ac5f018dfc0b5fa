import { createHash } from 'node:crypto'
import type { Encoding } from './encoding.ts'

export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Whether `If-None-Match` contains the ETag. Proxies may mark it as weak, which makes no difference for a GET. */
export const matchesEtag = (ifNoneMatch: string | string[] | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag ||
    String(ifNoneMatch)
      .split(',')
      .some((held) => [etag, `W/${etag}`, '*'].includes(held.trim())))

/** The ETag of a compressed body, which differs from that of the body itself. */
export const etagIn = (encoding: Encoding, etag: string): string =>
  encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`
