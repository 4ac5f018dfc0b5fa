import { z } from 'zod'
import { invalidPayload } from '../../errors.ts'
import type { Step } from '../exchange.ts'
import { describeIssue } from '../validation.ts'

/** The body against its schema: every field known and of its form. */
export const parseBody: Step = (exchange) => {
  const schema = exchange.route.operation.declared.body
  if (schema === undefined) return
  const parsed = schema.safeParse(exchange.json, { error: describeIssue })
  if (!parsed.success) {
    const { formErrors, fieldErrors } = z.flattenError(parsed.error)
    throw invalidPayload(fieldErrors as Record<string, string[]>, formErrors)
  }
  exchange.body = parsed.data
}
