import { expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { useHarness } from '../../../testing/harness.ts'
import { releaseLeases, renewLeases, takeLeases } from './lease-queries.ts'

const harness = useHarness({ role: 'api' })

/** More than either engine accepts in one statement with three parameters each. */
const ORGANISATIONS = 22_000

test('one worker can lease, renew and release tens of thousands of organisations', async () => {
  const { database } = harness.service
  const orgIds = Array.from({ length: ORGANISATIONS }, () => newId() as OrgId)
  const [now, later] = [timestamp(harness.nowMs()), timestamp(harness.nowMs() + 20_000)]
  expect((await takeLeases(database, 'one', orgIds, now, later)).toSorted()).toEqual(orgIds.toSorted())
  expect(await takeLeases(database, 'other', orgIds, now, later)).toEqual([])
  expect(await renewLeases(database, 'one', now, later)).toHaveLength(ORGANISATIONS)
  await releaseLeases(database, 'one', orgIds)
  expect(await takeLeases(database, 'other', orgIds, now, later)).toHaveLength(ORGANISATIONS)
})
