/** Jobs are carried out in pieces: through crashes and failures, without repeating or leaving out anything, and in turns. */
import { afterAll, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { finished, itemsOf, startJobWorker } from '../../../testing/data/job-worker.ts'
import { explain, firstIndex } from '../../../testing/engines/plans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Statement, type Tenant, useHarness } from '../../../testing/harness.ts'
import { killProcesses, settingsFor, startServiceProcess } from '../../../testing/process.ts'
import { createCatalogue, type JobKind, type JobTarget, type Piece } from '../jobs/index.ts'

/** No worker runs in this process until a test starts one. */
const harness = useHarness({ role: 'api' })
afterAll(killProcesses)

const OLD = { url: 'https://acme.com/old' }
const NEW = { url: 'https://acme.com/new' }

const change = async (tenant: Tenant): Promise<string> => {
  const { status, body } = await tenant.post('/v1/destinations/change', { from: OLD, to: NEW })
  expect(status).toBe(200)
  return body.job_id
}

/** Enough that the worker is killed in the middle of its work. */
const CODES = 2000

test('a job goes on where a killed worker stopped: each code is changed once, with one event and one item', async () => {
  const acme = await harness.createTenant()
  for (let n = 0; n < CODES; n += 1000) await acme.post('/v1/qr-codes/batch', { count: 1000, destination: OLD })
  const id = await change(acme)
  const { kysely } = harness.service.database
  const idsOf = async (): Promise<Record<'items' | 'codes' | 'events', string[]>> => {
    const items = kysely.selectFrom('job_items').select('target_id').where('org_id', '=', acme.orgId)
    const codes = kysely.selectFrom('qr_codes').select('id').where('org_id', '=', acme.orgId)
    const events = kysely.selectFrom('events').select('payload').where('org_id', '=', acme.orgId)
    return {
      items: (await items.execute()).map((item) => item.target_id).sort(),
      codes: (await codes.where('destination_url', '=', NEW.url).execute()).map((code) => code.id).sort(),
      events: (await events.where('type', '=', 'qr_code.updated').execute())
        .map(({ payload }) => (payload as { id: string }).id)
        .sort(),
    }
  }
  const doneOf = async () => (await acme.get(`/v1/jobs/${id}`)).body.progress.done as number

  const killed = await startServiceProcess(settingsFor(harness), ['--role', 'worker'])
  await eventually(async () => (await doneOf()) > 0)
  killed.send('SIGKILL')
  await killed.ended
  const found = await idsOf()
  expect(found.items.length).toBeLessThan(CODES)
  expect(found.items).toHaveLength(await doneOf())
  expect([found.codes, found.events]).toEqual([found.items, found.items])

  // Another process on PostgreSQL would have to wait for the lease of the killed one.
  const expired = { due_at: '2020-01-01T00:00:00.000+00:00' }
  await kysely.updateTable('jobs').set(expired).where('org_id', '=', acme.orgId).where('id', '=', id).execute()
  const worker = await startServiceProcess(settingsFor(harness), ['--role', 'worker'])
  const job = await finished(acme, id)
  worker.send('SIGTERM')
  await worker.ended
  expect(job).toMatchObject({ status: 'completed', progress: { total: CODES, done: CODES, failed: 0 } })
  const all = await idsOf()
  expect(new Set(all.items).size).toBe(CODES)
  expect(all.items).toHaveLength(CODES)
  expect([all.codes, all.events]).toEqual([all.items, all.items])
})

const targetsOf = (count: number): JobTarget[] =>
  Array.from({ length: count }, (_, n) => ({
    kind: 'qr_code',
    id: `00000000-0000-7000-8000-00000000000${n}`,
    name: `Door ${n}`,
    place: String(n),
  }))

/** A kind with these targets in one piece. */
const kindOf = (targets: JobTarget[], apply: Piece['apply']): JobKind => ({
  kind: 'destination_change',
  nextPiece: async (_ctx, _input, after) => ({
    targets: targets.filter(({ place }) => place > (after ?? '')),
    end: null,
    apply,
  }),
})

test('a target that is refused is an item with its error, and the others are done', async () => {
  const acme = await harness.createTenant()
  const id = await change(acme)
  const stop = startJobWorker(harness, [
    kindOf(targetsOf(4), async (_tx, _ctx, targets) => {
      if (targets.some(({ place }) => place === '1')) throw new ApiError('unprocessable', 'The door is locked.')
      return targets.map(({ kind, id, name }) => ({ kind, id, name, result: 'changed' }))
    }),
  ])
  const job = await finished(acme, id)
  await stop()
  expect(job).toMatchObject({ status: 'completed', progress: { total: 4, done: 4, failed: 1 } })
  const items = (await itemsOf(acme, id)).reverse()
  expect(items.map(({ name, result }) => [name, result])).toEqual([
    ['Door 0', 'changed'],
    ['Door 1', 'failed'],
    ['Door 2', 'changed'],
    ['Door 3', 'changed'],
  ])
  expect(items[1].error).toEqual({ error: 'unprocessable', message: 'The door is locked.' })
})

test('a job that keeps failing is tried five times, later and later, and then stopped', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const id = await change(acme)
  let attempts = 0
  const stop = startJobWorker(harness, [
    kindOf(targetsOf(1), async (_tx, { orgId }) => {
      if (orgId !== acme.orgId) return []
      attempts++
      throw new Error('out of order')
    }),
  ])
  for (let attempt = 1; attempt < 5; attempt++) {
    await eventually(() => attempts >= attempt)
    // Another job is carried out meanwhile, without another attempt.
    await finished(other, await change(other))
    expect(attempts).toBe(attempt)
    expect((await acme.get(`/v1/jobs/${id}`)).body).toMatchObject({ status: 'running', error: null })
    harness.advance(MINUTE_MS)
  }
  const job = await finished(acme, id)
  await stop()
  expect(attempts).toBe(5)
  expect(job).toMatchObject({ status: 'failed', error: { error: 'internal_error' }, progress: { done: 0 } })
  expect(JSON.stringify(job)).not.toContain('out of order')
})

test('a short job of one organisation does not wait for a long one of another, and due ones are found by an index', async () => {
  const [long, short] = [await harness.createTenant(), await harness.createTenant()]
  const ids = [await change(long), await change(short)]
  const order: string[] = []
  const stop = startJobWorker(harness, [
    {
      kind: 'destination_change',
      nextPiece: async ({ orgId }, _input, after) => {
        const pieces = orgId === long.orgId ? 60 : 1
        const piece = Number(after ?? 0) + 1
        order.push(orgId)
        return { targets: [], end: piece === pieces ? null : String(piece), apply: async () => [] }
      },
    },
  ])
  const statements = await harness.statementsOf(async () => {
    await finished(long, ids[0] as string)
    await finished(short, ids[1] as string)
  })
  await stop()
  expect(order.filter((orgId) => orgId === long.orgId)).toHaveLength(60)
  expect(order.indexOf(short.orgId)).toBeLessThanOrEqual(20)
  const search = statements.find(({ sql }) => sql.includes('as "held"'))
  expect(firstIndex(await explain(harness.service.database, search as Statement))).toBe('jobs_due_idx')
})

test('a kind that is declared twice is an error of the program', () => {
  const kind = kindOf([], async () => [])
  expect(() => createCatalogue([[kind], [kind]])).toThrow('destination_change is declared twice')
})
