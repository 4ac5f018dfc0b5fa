/** A job is carried out once, as far as it may be, and everybody who may see it knows how far it is. */
import { describe, expect, test } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Client } from '../../../testing/client.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { finished, itemsOf, SteppedWorker } from '../../../testing/data/job-worker.ts'
import { addJobItems, createJobs } from '../../../testing/data/jobs.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Person, type Tenant, useHarness } from '../../../testing/harness.ts'
import { getRole } from '../roles/index.ts'

/** No worker runs until a test starts one. */
const harness = useHarness({ role: 'api' })

/** How many codes are changed in one transaction. */
const PIECE = 25

const OLD = { url: 'https://acme.com/old' }
const NEW = { url: 'https://acme.com/new' }
const NEWEST = { url: 'https://acme.com/newest' }

const createCodes = async (tenant: Tenant, count: number): Promise<void> =>
  expect(await tenant.post('/v1/qr-codes/batch', { count, destination: OLD })).toMatchObject({ status: 201 })

const change = async (client: Client, body: object = { from: OLD, to: NEW }): Promise<string> => {
  const { status, text, body: begun } = await client.post('/v1/destinations/change', body)
  expect(status, text).toBe(200)
  return begun.job_id
}

const countAt = async (tenant: Tenant, { url }: { url: string }): Promise<number> => {
  const body = { from: { url }, to: { url: 'https://acme.com/' }, dry_run: true }
  return (await tenant.post('/v1/destinations/change', body)).body.count
}

const doneOf = async (client: Client, id: string) => (await client.get(`/v1/jobs/${id}`)).body.progress.done

test('a cancelled job stops before its next piece, and what it has done can be undone', async () => {
  const acme = await harness.createTenant()
  await createCodes(acme, 250)
  const id = await change(acme)
  const waiting = (await acme.get(`/v1/jobs/${id}`)).body
  expect(waiting).toMatchObject({ status: 'queued', started_at: null, finished_at: null })
  expect(waiting.progress).toEqual({ total: 250, done: 0, failed: 0 })
  await using worker = new SteppedWorker(harness)
  worker.allow(1)
  await eventually(async () => (await doneOf(acme, id)) === PIECE)
  expect((await acme.get(`/v1/jobs/${id}`)).body).toMatchObject({ status: 'running', finished_at: null })
  expect((await acme.post(`/v1/destinations/change/${id}/undo`)).body.details).toEqual({ reason: 'not_finished' })
  const cancelled = await acme.post(`/v1/jobs/${id}/cancel`)
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: 'cancelled', progress: { done: PIECE }, error: null },
  })
  worker.goOn()
  const undone = await finished(acme, (await acme.post(`/v1/destinations/change/${id}/undo`)).body.job_id)
  expect(undone).toMatchObject({ status: 'completed', progress: { total: PIECE, done: PIECE } })
  expect((await acme.get(`/v1/jobs/${id}`)).body).toEqual(cancelled.body)
  expect(await itemsOf(acme, id)).toHaveLength(PIECE)
  expect([await countAt(acme, OLD), await countAt(acme, NEW)]).toEqual([250, 0])

  expect((await acme.post(`/v1/jobs/${id}/cancel`)).body).toEqual(cancelled.body)
  expect(await acme.post(`/v1/jobs/${undone.id}/cancel`)).toMatchObject({
    status: 409,
    body: { details: { reason: 'finished' } },
  })
  const entries = (await acme.get('/v1/audit-log?action=job.cancelled')).body.data
  expect(entries).toMatchObject([{ resource: { type: 'job', id }, actor: { id: acme.keyId } }])
})

test('an undo that was cancelled can be begun again, and goes on with the rest', async () => {
  const acme = await harness.createTenant()
  await createCodes(acme, 150)
  const id = await change(acme)
  await using worker = new SteppedWorker(harness)
  worker.goOn()
  await finished(acme, id)
  worker.hold()
  const undo = async () => (await acme.post(`/v1/destinations/change/${id}/undo`)).body.job_id
  const first = await undo()
  worker.allow(1)
  await eventually(async () => (await doneOf(acme, first)) === PIECE)
  await acme.post(`/v1/jobs/${first}/cancel`)
  worker.goOn()
  const second = await undo()
  expect(await finished(acme, second)).toMatchObject({ status: 'completed', progress: { done: 150, failed: 0 } })
  expect(await itemsOf(acme, second, '&result=unchanged')).toHaveLength(PIECE)
  expect(await itemsOf(acme, second, '&result=changed')).toHaveLength(150 - PIECE)
  expect(await countAt(acme, OLD)).toBe(150)
})

test('the jobs of an organisation run one after the other, and few may wait', async () => {
  const acme = await harness.createTenant()
  await createCodes(acme, 120)
  const ids = [await change(acme), await change(acme, { from: NEW, to: NEWEST })]
  const more = await Promise.all(
    Array.from({ length: 6 }, () => acme.post('/v1/destinations/change', { from: NEWEST, to: OLD })),
  )
  expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422])
  const refused = more.find(({ status }) => status === 422)
  expect(refused?.body.details).toEqual({ reason: 'too_many_jobs', limit: 5 })
  for (const { body } of more) if (body.job_id) await acme.post(`/v1/jobs/${body.job_id}/cancel`)
  await using worker = new SteppedWorker(harness)
  worker.allow(1)
  await eventually(async () => (await doneOf(acme, ids[0] as string)) === PIECE)
  expect((await acme.get(`/v1/jobs/${ids[1]}`)).body.status).toBe('queued')
  expect((await acme.get('/v1/jobs?status=queued')).body.data).toMatchObject([{ id: ids[1] }])
  worker.goOn()
  const [one, two] = [await finished(acme, ids[0] as string), await finished(acme, ids[1] as string)]
  expect(two.started_at >= one.finished_at).toBe(true)
  expect(two.progress, 'counted anew').toEqual({ total: 120, done: 120, failed: 0 })
  expect(await countAt(acme, NEWEST)).toBe(120)
})

describe('a job stops when the one who asked for it', () => {
  interface Asked {
    owner: Person
    client: Client
    /** Takes the right away. */
    withdraw: () => Promise<unknown>
    may?: true
  }

  const byKey = async (tenant: Tenant, body: object, how: string): Promise<Asked> => {
    const owner = await harness.createPerson(tenant, 'owner')
    const key = (await owner.post('/v1/api-keys', { name: 'Warehouse', ...body })).body
    const withdraw = async () => {
      if (how === 'expire') harness.advance(DAY_MS)
      else expect(await owner.post(`/v1/api-keys/${key.id}/${how}`)).toMatchObject({ status: 200 })
    }
    return { owner, client: harness.client(key.api_key), withdraw }
  }

  const byPerson = async (tenant: Tenant, how: (owner: Person, person: Person) => Promise<unknown>): Promise<Asked> => {
    const [owner, person] = [await harness.createPerson(tenant, 'owner'), await harness.createPerson(tenant, 'manager')]
    return { owner, client: person, withdraw: () => how(owner, person) }
  }

  const byApplication = async (
    tenant: Tenant,
    how: (owner: Person, person: Person, grantId: string) => Promise<unknown>,
  ): Promise<Asked> => {
    const [owner, person] = [await harness.createPerson(tenant, 'owner'), await harness.createPerson(tenant, 'manager')]
    const { token, grantId } = await createAccessToken(
      harness.service.database,
      { orgId: tenant.orgId, userId: person.userId },
      ['qr.manage', 'objects.manage', 'products.manage'],
      harness.nowMs(),
    )
    return { owner, client: harness.client(token), withdraw: () => how(owner, person, grantId) }
  }

  const lower = (owner: Person, { memberId }: Person) =>
    owner.patch(`/v1/team/members/${memberId}`, { role_id: getRole('member').id })
  const remove = (owner: Person, { memberId }: Person) => owner.delete(`/v1/team/members/${memberId}`)
  const inADay = () => ({ expires_at: new Date(harness.nowMs() + DAY_MS / 2).toISOString() })

  test.each<[string, string, (tenant: Tenant) => Promise<Asked>]>([
    ['is a key that is revoked', 'was revoked', (tenant) => byKey(tenant, {}, 'revoke')],
    ['is a key that is paused', 'was paused', (tenant) => byKey(tenant, {}, 'pause')],
    ['is a key that expires', 'has expired', (tenant) => byKey(tenant, inADay(), 'expire')],
    ['gets a lower role', 'does not allow it', (tenant) => byPerson(tenant, lower)],
    ['leaves', 'has left', (tenant) => byPerson(tenant, remove)],
    [
      'is an application that is disconnected',
      'is not connected',
      (tenant) => byApplication(tenant, (_, person, grant) => person.delete(`/v1/connected-applications/${grant}`)),
    ],
    [
      'is an application of a person who gets a lower role',
      'does not allow it',
      (tenant) => byApplication(tenant, lower),
    ],
  ])('%s', async (_how, message, asking) => {
    const acme = await harness.createTenant()
    await createCodes(acme, 150)
    const { owner, client, withdraw } = await asking(acme)
    const id = await change(client)
    await using worker = new SteppedWorker(harness)
    worker.allow(1)
    await eventually(async () => (await doneOf(owner, id)) === PIECE)
    const result = (await withdraw()) as { status?: number } | undefined
    expect(result?.status ?? 200).toBeLessThan(300)
    worker.goOn()
    const job = await finished(acme, id)
    expect(job).toMatchObject({
      status: 'failed',
      progress: { total: 150, done: PIECE },
      error: { error: 'forbidden' },
    })
    expect(job.error.message).toContain(message)
    expect(await countAt(acme, OLD)).toBe(150 - PIECE)
  })

  test('but goes on when a person signs out', async () => {
    const acme = await harness.createTenant()
    await createCodes(acme, 20)
    const person = await harness.createPerson(acme, 'manager')
    const id = await change(person)
    const sessions = harness.service.database.kysely.deleteFrom('sessions')
    await sessions.where('user_id', '=', person.userId).execute()
    await using worker = new SteppedWorker(harness)
    worker.goOn()
    expect(await finished(acme, id)).toMatchObject({
      status: 'completed',
      created_by: { type: 'person', id: person.userId },
    })
  })
})

test('a credential sees the jobs of areas that it may view, and cancels those of areas that it may manage', async () => {
  const acme = await harness.createTenant()
  const onlyCodes = await change(acme, { filter: { kinds: ['qr_code'] }, to: NEW })
  const all = await change(acme)
  const scoped = (...scopes: string[]) => harness.client(harness.scoped.issue(acme.orgId, scopes))
  const idsOf = async (client: Client) => (await client.get('/v1/jobs')).body.data.map(({ id }: any) => id)
  expect(await idsOf(acme)).toEqual([all, onlyCodes])
  expect(await idsOf(scoped('qr.view'))).toEqual([onlyCodes])
  expect(await idsOf(scoped('qr.manage', 'objects.view', 'products.view'))).toEqual([all, onlyCodes])
  expect(await idsOf(scoped('articles.manage'))).toEqual([])
  expect(await idsOf(await harness.createPerson(acme, 'member'))).toEqual([all, onlyCodes])
  for (const path of [`/v1/jobs/${all}`, `/v1/jobs/${all}/items`])
    expect((await scoped('qr.view').get(path)).status).toBe(404)
  expect((await scoped('qr.view').post(`/v1/jobs/${all}/cancel`)).status).toBe(404)
  expect(await scoped('qr.view').post(`/v1/jobs/${onlyCodes}/cancel`)).toMatchObject({
    status: 403,
    body: { details: { required_scope: 'qr.manage' } },
  })
  expect((await scoped('qr.manage').post(`/v1/jobs/${onlyCodes}/cancel`)).body.status).toBe('cancelled')
})

test('filters jobs by kind and status, and items by result', async () => {
  const acme = await harness.createTenant()
  const ids = await createJobs(harness, acme.orgId, 6)
  const count = async (path: string) => (await acme.get(path)).body.data.length
  expect(await count('/v1/jobs?kind=destination_change_undo')).toBe(3)
  expect(await count('/v1/jobs?status=failed')).toBe(2)
  expect(await count('/v1/jobs?status=failed&kind=destination_change')).toBe(1)
  expect((await acme.get('/v1/jobs?status=unknown')).status).toBe(400)
  await addJobItems(harness, acme.orgId, ids[0] as string, 8)
  expect(await count(`/v1/jobs/${ids[0]}/items?result=skipped`)).toBe(2)
  expect(await count(`/v1/jobs/${ids[1]}/items`)).toBe(0)
})

test('jobs and their items are deleted after 31 days', async () => {
  const acme = await harness.createTenant()
  const [id] = await createJobs(harness, acme.orgId, 1)
  await addJobItems(harness, acme.orgId, id as string, 3)
  const unfinished = await change(acme)
  const sweep = () => deleteExpired(harness.service.database, harness.nowMs(), 400)
  harness.advance(31 * DAY_MS - 60_000)
  await sweep()
  expect((await acme.get(`/v1/jobs/${id}/items`)).body.data).toHaveLength(3)
  harness.advance(60_000)
  await sweep()
  expect((await acme.get(`/v1/jobs/${id}`)).status).toBe(404)
  expect((await acme.get('/v1/jobs')).body.data).toMatchObject([{ id: unfinished }])
})
