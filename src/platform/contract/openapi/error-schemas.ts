import { explained } from '../choice.ts'
import type { Components } from './components.ts'
import type { Json, Ref } from './json.ts'

const TEXTS: Json = { type: 'array', items: { type: 'string', examples: ['Required'] } }

const VALIDATION_DETAILS: Json = {
  type: 'object',
  description: 'Validation errors of a body (`invalid_payload`) or a query string (`invalid_query`).',
  required: ['formErrors', 'fieldErrors'],
  properties: {
    formErrors: {
      ...TEXTS,
      description: 'Errors that are not about one field.',
      examples: [['Must have either count or items']],
    },
    fieldErrors: {
      type: 'object',
      description: 'The errors of each field, by its path, such as `items[417].status`.',
      additionalProperties: TEXTS,
      examples: [{ name: ['Required'], 'items[417].status': ['Must be one of active, inactive, not "on"'] }],
    },
  },
}

const CONFLICT_DETAILS: Json = {
  type: 'object',
  description: 'Details of a `conflict`: the value that is taken, or the reason.',
  properties: {
    field: { type: 'string', description: 'The field whose value is taken.', examples: ['name'] },
    value: { description: 'The value as you sent it.', examples: ['Care instructions'] },
    id: {
      type: 'string',
      format: 'uuid',
      description: 'The resource that has the value. Present where one request can then change it.',
      examples: ['0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'],
    },
    reason: {
      type: 'string',
      description: '`idempotency_in_progress`: the first request with this `Idempotency-Key` is still running.',
      examples: ['idempotency_in_progress'],
    },
  },
  examples: [{ field: 'name', value: 'Care instructions' }],
}

const SCOPE_DETAILS: Json = {
  type: 'object',
  description: 'Details of `forbidden`: the scope that the credential lacks.',
  required: ['required_scope'],
  properties: { required_scope: { type: 'string', examples: ['articles.manage'] } },
}

/** Some of the error codes, with their meaning. */
export const errorEnum = ({ errors }: Components, codes: readonly string[]): Json => ({
  enum: codes,
  ...explained(Object.fromEntries(codes.map((code) => [code, errors[code]?.meaning ?? '']))),
})

export const errorSchema = (components: Components): Ref =>
  components.ref('schemas', 'Error', () => ({
    type: 'object',
    description: 'The body of every error response.',
    required: ['error', 'message', 'request_id'],
    properties: {
      error: components.ref('schemas', 'ErrorCode', () => ({
        type: 'string',
        description: 'The error code, for programs. Codes never change their name or meaning; new ones may be added.',
        ...errorEnum(components, Object.keys(components.errors)),
      })),
      message: {
        type: 'string',
        description: 'A description for people. Its wording may change at any time, so never match on it.',
        examples: ['The path has a malformed id. Must be a UUID.'],
      },
      request_id: {
        type: 'string',
        description: 'The same ID as in the `X-Request-Id` header.',
        examples: ['req_4fK9sLmQ2xWb7TzA'],
      },
      details: {
        description: 'Structured context, present only for errors that have it. Its shape depends on `error`.',
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
