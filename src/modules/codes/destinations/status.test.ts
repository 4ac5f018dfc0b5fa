import { expect, test } from 'vitest'
import type { DestinationRef, Status } from './contract.ts'
import { settleStatus } from './status.ts'

const OLD: DestinationRef = { type: 'url', id: null, url: 'https://acme.com/old' }
const NEW: DestinationRef = { type: 'url', id: null, url: 'https://acme.com/new' }
const STATUSES: Status[] = ['unconfigured', 'active', 'inactive', 'archived']

/** Where it led before, what becomes of its destination, and then the status that follows each status before. */
test.each<[string, DestinationRef | null, DestinationRef | null | undefined, Status[]]>([
  ['without a destination, nothing is said', null, undefined, STATUSES],
  ['with a destination, nothing is said', OLD, undefined, STATUSES],
  ['gets its first destination', null, NEW, ['active', 'active', 'inactive', 'archived']],
  ['gets another destination', OLD, NEW, ['active', 'active', 'inactive', 'archived']],
  ['gets the same destination', OLD, OLD, ['active', 'active', 'inactive', 'archived']],
  ['loses its destination', OLD, null, ['unconfigured', 'unconfigured', 'unconfigured', 'unconfigured']],
  ['has none to lose', null, null, STATUSES],
])('%s', (_what, before, lead, after) => {
  expect(STATUSES.map((status) => settleStatus({ status, lead: before }, { lead }))).toEqual(after)
})

test('whoever says a status gets it, whatever becomes of the destination', () => {
  for (const before of STATUSES)
    for (const status of STATUSES)
      for (const from of [null, OLD])
        for (const lead of [undefined, null, NEW])
          expect(settleStatus({ status: before, lead: from }, { status, lead })).toBe(status)
})
