import { expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { useHarness } from '../../../testing/harness.ts'
import { releaseLeases, renewLeases, takeLeases } from './lease-queries.ts'

const harness = useHarness({ role: 'api' })

/** Several batches. All at once would be more parameters than our limit below, and with many more than the engines allow. */
const ORGANISATIONS = 2200
const PARAMETERS_MAX = 2000

test('one worker can lease, renew and release any number of organisations', async () => {
  const { database } = harness.service
  const orgIds = Array.from({ length: ORGANISATIONS }, () => newId() as OrgId)
  const [now, later] = [timestamp(harness.nowMs()), timestamp(harness.nowMs() + 20_000)]
  const statements = await harness.statementsOf(async () => {
    expect((await takeLeases(database, 'one', orgIds, now, later)).toSorted()).toEqual(orgIds.toSorted())
    expect(await takeLeases(database, 'other', orgIds, now, later)).toEqual([])
    expect(await renewLeases(database, 'one', now, later)).toHaveLength(ORGANISATIONS)
    await releaseLeases(database, 'one', orgIds)
    expect(await takeLeases(database, 'other', orgIds, now, later)).toHaveLength(ORGANISATIONS)
  })
  for (const { sql, parameters } of statements) expect(parameters.length, sql).toBeLessThan(PARAMETERS_MAX)
})
