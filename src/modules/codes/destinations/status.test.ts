import { expect, test } from 'vitest'
import type { DestinationRef, Status } from './contract.ts'
import { settleStatus } from './status.ts'

const OLD: DestinationRef = { type: 'url', id: null, url: 'https://acme.com/old' }
const NEW: DestinationRef = { type: 'url', id: null, url: 'https://acme.com/new' }
const STATUSES: Status[] = ['unconfigured', 'active', 'inactive', 'archived']

/** The current destination, the sent destination, and the expected status for each current status. */
test.each<[string, DestinationRef | null, DestinationRef | null | undefined, Status[]]>([
  ['keeps the status without a destination when none is sent', null, undefined, STATUSES],
  ['keeps the status with a destination when none is sent', OLD, undefined, STATUSES],
  [
    'activates an unconfigured code with its first destination',
    null,
    NEW,
    ['active', 'active', 'inactive', 'archived'],
  ],
  ['activates an unconfigured code with another destination', OLD, NEW, ['active', 'active', 'inactive', 'archived']],
  ['activates an unconfigured code with the same destination', OLD, OLD, ['active', 'active', 'inactive', 'archived']],
  [
    'becomes unconfigured when the destination is removed',
    OLD,
    null,
    ['unconfigured', 'unconfigured', 'unconfigured', 'unconfigured'],
  ],
  ['keeps the status when there is no destination to remove', null, null, STATUSES],
])('%s', (_name, current, destination, expected) => {
  expect(STATUSES.map((status) => settleStatus({ status, destination: current }, { destination }))).toEqual(expected)
})

test('an explicit status always wins over the destination', () => {
  for (const current of STATUSES)
    for (const status of STATUSES)
      for (const from of [null, OLD])
        for (const destination of [undefined, null, NEW])
          expect(settleStatus({ status: current, destination: from }, { status, destination })).toBe(status)
})
