import { expect, test } from 'vitest'
import { QueueFull } from '../bounded/index.ts'
import { DatabaseUnavailable } from '../db/failures.ts'
import { ApiError } from '../errors/index.ts'
import { StoreUnavailable } from '../files/asset-store.ts'
import { ClientLeft } from '../http/server/client-left.ts'
import { isTemporary, statusOf } from './error-status.ts'

test.each([
  ['an error of ours has its own status', new ApiError('invalid_payload', 'Too large.', { status: 413 }), 413],
  ['a database that does not respond', new DatabaseUnavailable('away', undefined), 503],
  ['a store of files that does not respond', new StoreUnavailable('away'), 503],
  ['too much that waits', new QueueFull('full'), 503],
  ['a client who has left', new ClientLeft(), 408],
  ['a bug', new Error('a bug'), undefined],
  ['an error of ours that means a bug', new ApiError('internal_error', 'A bug.'), undefined],
])('%s', (_, error, status) => {
  expect(statusOf(error)).toBe(status)
  expect(isTemporary(error)).toBe(status === 503)
})
