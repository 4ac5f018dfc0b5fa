import { createHmac } from 'node:crypto'

/** Uses another HMAC implementation than the package, so that an error in either is noticed. */
export const hmac = (secret: string, time: number | string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')

/** The signature header as Waymark sends it. */
export const signature = (secret: string, time: number, body: string | Uint8Array): string =>
  `t=${time},v1=${hmac(secret, time, body)}`
