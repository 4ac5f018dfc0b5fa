import { z } from 'zod'
import { collectProblems, describeIssue } from '../../../contract/describe-issue.ts'
import { describePath } from '../../../contract/describe-value.ts'
import { ID_LIST_FORMAT } from '../../../contract/index.ts'
import { ApiError, invalidQuery } from '../../../errors/index.ts'
import type { Step } from '../exchange.ts'
import { unstorable } from '../validation.ts'

const NO_PARAMETERS = z.strictObject({})

/** Validates the query string: known parameters only, each given once and well formed. */
export const parseQuery: Step = (exchange) => {
  const declared = exchange.route.operation.declared.query
  if (declared === undefined && isEmpty(exchange.sent.query)) return
  const schema = declared ?? NO_PARAMETERS
  const parsed = schema.safeParse(exchange.sent.query, { error: describeIssue })
  if (parsed.success) {
    const bad = unstorable(exchange.sent.query)
    if (bad !== undefined) throw invalidQuery({ [describePath(bad.path)]: [bad.problem] })
    exchange.query = parsed.data
    return
  }
  const malformedId = parsed.error.issues.find(({ path: [name] }) => name !== undefined && isId(schema, String(name)))
  if (malformedId !== undefined) {
    throw new ApiError(
      'invalid_id',
      `The query string has a malformed ${String(malformedId.path[0])}. ${malformedId.message}.`,
    )
  }
  const facts = { value: exchange.sent.query, unknown: 'Unknown parameter' }
  const { fieldErrors, formErrors } = collectProblems(parsed.error.issues, facts)
  throw invalidQuery(fieldErrors, formErrors)
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}

/** A malformed id is `invalid_id` instead of `invalid_query`. */
function isId(schema: z.ZodObject, name: string): boolean {
  const declared = schema.shape[name]
  const inner = declared instanceof z.ZodOptional ? declared.unwrap() : declared
  const format = inner instanceof z.ZodType ? inner.meta()?.format : undefined
  return format === 'uuid' || format === ID_LIST_FORMAT
}
