import { createHash } from 'node:crypto'

/** Changes whenever the body does. */
export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** Whether the caller has it already. Proxies may mark a tag as weak; for a GET that makes no difference. */
export const isHeld = (ifNoneMatch: string | string[] | undefined, etag: string): boolean =>
  String(ifNoneMatch ?? '')
    .split(',')
    .some((held) => [etag, `W/${etag}`, '*'].includes(held.trim()))
