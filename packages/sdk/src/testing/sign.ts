import { createHmac } from 'node:crypto'

/** Not by the package's own means, so that the two can disagree. */
export const hmac = (secret: string, time: number | string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')

/** The signature header as Waymark sends it. */
export const signature = (secret: string, time: number, body: string | Uint8Array): string =>
  `t=${time},v1=${hmac(secret, time, body)}`
