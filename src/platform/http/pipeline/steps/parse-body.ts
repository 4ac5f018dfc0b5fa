import type { Step } from '../exchange.ts'
import { isOfEach, parseItems } from '../parse-items.ts'
import { readOnlyFields } from '../read-only.ts'
import { parsePayload } from '../validation.ts'
import { afterLargeBody } from './parse-json.ts'

export const parseBody: Step = (exchange) => {
  const { declared } = exchange.route.operation
  const { body: schema, reportsItems } = declared
  if (schema === undefined) return
  if (reportsItems && isOfEach(exchange.json))
    Object.assign(exchange, parseItems(schema, exchange.json, readOnlyFields(declared)))
  else exchange.body = parsePayload(schema, exchange.json, readOnlyFields(declared))
  return afterLargeBody(exchange.rawBody?.content)
}
