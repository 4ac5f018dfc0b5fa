import { ERROR_EXAMPLES } from '../src/platform/contract/openapi/error-examples.ts'
import { ERRORS, type ErrorCode } from '../src/platform/errors/index.ts'

const EXAMPLE: ErrorCode = 'invalid_payload'

/** docs/errors.md, from the one table of errors. */
export const errorsPage =
  (): string => `<!-- Made by scripts/generate.ts from src/platform/errors.ts. Change that, and run it again. -->

# Errors

Every error of the API is JSON of one shape, whatever went wrong:

\`\`\`json
${JSON.stringify({ error: EXAMPLE, message: ERROR_EXAMPLES[EXAMPLE].message, request_id: 'req_4fK9sLmQ2xWb7TzA', details: ERROR_EXAMPLES[EXAMPLE].details }, null, 2)}
\`\`\`

| Field | What it is |
|---|---|
| \`error\` | What went wrong, for programs: one of the codes below. A code does not change its name or its meaning; new ones may be added. |
| \`message\` | What went wrong, for people. The words may change at any time, so show or log them and never compare them. |
| \`request_id\` | The same as the header \`X-Request-Id\`, which every answer has. Mention it when you ask for help. |
| \`details\` | More for programs, where there is more to say. Its shape depends on the code. |

For \`invalid_payload\` and \`invalid_query\`, \`details\` is \`{formErrors, fieldErrors}\`: the complaints about each field
under its name in \`fieldErrors\`, and those that are not about one field in \`formErrors\`. For \`conflict\` it is
\`{field, value}\` when the value is taken, and \`{reason}\` when something else is under way. For \`forbidden\` it is
\`{required_scope}\`.

The HTTP status decides. 4xx: correct the request before you send it again; 429, and 409 with a \`Retry-After\` header,
are worth another try after that many seconds. 5xx: safe to retry with growing pauses; send a POST with an
\`Idempotency-Key\`, and nothing is done twice.

| Status | Code | Meaning | What to do |
|---|---|---|---|
${rows().join('\n')}
`

const rows = (): string[] =>
  Object.entries(ERRORS).map(
    ([code, { status, meaning, remedy }]) => `| ${status} | \`${code}\` | ${meaning} | ${remedy} |`,
  )
