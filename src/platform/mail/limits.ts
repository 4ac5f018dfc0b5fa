import { SECOND_MS } from '../clock/index.ts'

/** Messages that are sent at the same time. */
export const CONNECTIONS_MAX = 4

/** Limits one message. A server that answers a byte at a time passes every other timeout. */
export const SEND_MS_MAX = 45 * SECOND_MS
