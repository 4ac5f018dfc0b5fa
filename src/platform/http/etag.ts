import { createHash } from 'node:crypto'

export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Whether `If-None-Match` contains the ETag. Proxies may mark it as weak, which makes no difference for a GET. */
export const matchesEtag = (ifNoneMatch: string | string[] | undefined, etag: string): boolean =>
  String(ifNoneMatch ?? '')
    .split(',')
    .some((held) => [etag, `W/${etag}`, '*'].includes(held.trim()))
