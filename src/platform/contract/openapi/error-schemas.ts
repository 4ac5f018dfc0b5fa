import { ERRORS } from '../../errors/index.ts'
import type { Components } from './components.ts'
import type { Json, Ref } from './json.ts'

const TEXTS: Json = { type: 'array', items: { type: 'string', examples: ['Required'] } }

const VALIDATION_DETAILS: Json = {
  type: 'object',
  description: 'What is wrong with a body (`invalid_payload`) or a query string (`invalid_query`).',
  required: ['formErrors', 'fieldErrors'],
  properties: {
    formErrors: {
      ...TEXTS,
      description: 'What is not about one field.',
      examples: [['Unknown or read-only: colour']],
    },
    fieldErrors: {
      type: 'object',
      description: 'For each field, what is wrong with it.',
      additionalProperties: TEXTS,
      examples: [{ name: ['Required'] }],
    },
  },
}

const CONFLICT_DETAILS: Json = {
  type: 'object',
  description: 'What stands in the way (`conflict`): a value that is taken, or something that is under way.',
  properties: {
    field: { type: 'string', description: 'The field whose value is taken.', examples: ['name'] },
    value: { description: 'The value, as it was sent.', examples: ['Care instructions'] },
    reason: {
      type: 'string',
      description: '`idempotency_in_progress`: the first request with this `Idempotency-Key` is still being answered.',
      examples: ['idempotency_in_progress'],
    },
  },
  examples: [{ field: 'name', value: 'Care instructions' }],
}

const SCOPE_DETAILS: Json = {
  type: 'object',
  description: 'What the credential lacks (`forbidden`).',
  required: ['required_scope'],
  properties: { required_scope: { type: 'string', examples: ['articles.manage'] } },
}

/** The one shape of every error. */
export const errorSchema = (components: Components): Ref =>
  components.ref('schemas', 'Error', () => ({
    type: 'object',
    description: 'The one shape of every error.',
    required: ['error', 'message', 'request_id'],
    properties: {
      error: components.ref('schemas', 'ErrorCode', () => ({
        type: 'string',
        description: 'What went wrong, for programs. These names do not change; new ones may be added.',
        enum: Object.keys(ERRORS),
      })),
      message: {
        type: 'string',
        description: 'What went wrong, for people. The words may change at any time: never compare them.',
        examples: ['The path has a malformed id. Must be a UUID.'],
      },
      request_id: {
        type: 'string',
        description: 'The same as the header `X-Request-Id`.',
        examples: ['req_4fK9sLmQ2xWb7TzA'],
      },
      details: {
        description:
          'More about it, for programs. Present only where there is more to say; its shape depends on `error`.',
        anyOf: [
          components.ref('schemas', 'ValidationDetails', () => VALIDATION_DETAILS),
          components.ref('schemas', 'ConflictDetails', () => CONFLICT_DETAILS),
          components.ref('schemas', 'ScopeDetails', () => SCOPE_DETAILS),
          { type: 'object', description: 'Any other context.' },
        ],
      },
    },
    examples: [
      {
        error: 'invalid_id',
        message: 'The path has a malformed id. Must be a UUID.',
        request_id: 'req_4fK9sLmQ2xWb7TzA',
      },
    ],
  }))
