import { describeIssue } from '../../../contract/describe-issue.ts'
import { field } from '../../../contract/field.ts'
import { ApiError } from '../../../errors/index.ts'
import { LOWER_CASE_UUID } from '../../../ids/index.ts'
import type { Step } from '../exchange.ts'

/** Validates the parameters of the path. */
export const parseIds: Step = (exchange) => {
  const { params, family } = exchange.route.operation
  for (const name in params) {
    const schema = params[name]
    const sent = exchange.sent.params[name] ?? ''
    // Nearly every parameter is a UUID. Parsing it with Zod would cost as much as reading the row.
    if (schema === field.id && LOWER_CASE_UUID.test(sent)) {
      exchange.params[name] = sent
      continue
    }
    const parsed = schema?.safeParse(sent, { error: describeIssue })
    if (!parsed?.success) {
      const reason = parsed?.error.issues[0]?.message ?? 'Check it'
      const hint = name === 'id' ? family.hint?.(sent) : undefined
      const problem = `The path has a malformed ${name}. ${reason}.`
      throw new ApiError('invalid_id', hint === undefined ? problem : `${problem} ${hint}.`)
    }
    exchange.params[name] = parsed.data
  }
}
