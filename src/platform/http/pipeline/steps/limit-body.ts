import { BODY_BYTES_MAX, bodyTooLarge } from '../../bodies/body-reader.ts'
import type { Step } from '../exchange.ts'

/** Refuses a body by its declared length. A body without one is limited while it is read. */
export const limitBody: Step = ({ route, sent: { headers } }) => {
  const bytesMax = route.operation.declared.upload?.bytesMax ?? BODY_BYTES_MAX
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
}
