import { ApiError } from '../../errors.ts'
import type { Step } from '../exchange.ts'

/** The parameters of the path, each of its form. */
export const parseIds: Step = (exchange) => {
  const { params } = exchange.route.operation
  for (const name in params) {
    const schema = params[name]
    if (schema === undefined) continue
    const parsed = schema.safeParse(exchange.sent.params[name])
    if (!parsed.success) {
      const reason = parsed.error.issues[0]?.message ?? 'Not of its form'
      throw new ApiError('invalid_id', `The path has a malformed ${name}. ${reason}.`)
    }
    exchange.params[name] = parsed.data
  }
}
