import { expect, test } from 'vitest'
import type { Operation } from '../platform/contract/operation.ts'
import type { Client, Reply } from './client.ts'
import { exampleBody, pathTo } from './operations.ts'

export const REQUEST_ID = /^req_[0-9A-Za-z]{16}$/

/** Registers a test only where the guarantee applies. Operations without a body, for example, have none to validate. */
export const testIf = (applies: unknown): ((name: string, body: () => Promise<void>) => void) =>
  applies ? test : () => {}

export const named = (operations: Operation[]) => operations.map((operation) => [operation.id, operation] as const)

/** Sends the example of the operation. */
export function sendExample(client: Client, operation: Operation, params = {}, suffix = ''): Promise<Reply> {
  const { body, upload, method } = operation.declared
  const init = (body ?? upload) ? { body: exampleBody(operation) } : {}
  return client.request(method, pathTo(operation, params) + suffix, init)
}

export function expectError(reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, error: reply.body?.error }).toEqual({ status, error: code })
  expect(reply.body.message).toEqual(expect.any(String))
  expect(reply.headers.get('x-request-id')).toMatch(REQUEST_ID)
  expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'))
}

export function expectValidationError(reply: Reply, code: 'invalid_payload' | 'invalid_query'): void {
  expectError(reply, 400, code)
  expect(Object.keys(reply.body.details).sort()).toEqual(['fieldErrors', 'formErrors'])
}
