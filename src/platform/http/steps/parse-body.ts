import type { Step } from '../exchange.ts'
import { parsePayload } from '../validation.ts'

export const parseBody: Step = (exchange) => {
  const schema = exchange.route.operation.declared.body
  if (schema !== undefined) exchange.body = parsePayload(schema, exchange.json)
}
