import { BODY_BYTES_MAX, bodyTooLarge } from '../body-reader.ts'
import type { Step } from '../exchange.ts'

/** Refuses a body by its declared length. A body without one is limited while it is read. */
export const limitBody: Step = ({ sent: { headers } }) => {
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw bodyTooLarge()
}
