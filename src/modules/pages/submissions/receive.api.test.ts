import { expect, inject, onTestFinished, test } from 'vitest'
import { deleteExpired } from '../../../erasure/retention.ts'
import { DAY_MS } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { newId } from '../../../platform/ids/index.ts'
import {
  createForm,
  filledIn,
  newSubmissions,
  publicPage,
  receive,
  submissionsOf,
} from '../../../testing/data/submissions.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { FilesGone, PageGone } from './index.ts'

const harness = useHarness()

async function openForm(more: object = {}) {
  const acme = await harness.createTenant()
  const page = await createForm(acme, more)
  return { acme, page, publicPage: await publicPage(harness, acme, page.id) }
}

const numbersOf = async (tenant: Tenant, pageId: string): Promise<number[]> => {
  const rows = await harness.service.database.read
    .selectFrom('submissions')
    .select('number')
    .where('org_id', '=', tenant.orgId)
    .where('page_id', '=', pageId)
    .orderBy('number')
    .execute()
  return rows.map(({ number }) => Number(number))
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('stores what a visitor sent, with what was scanned', async () => {
  const { acme, page, publicPage } = await openForm()
  const object = (await acme.post('/v1/objects', { type: 'machine', name: 'Press 7' })).body
  const form = filledIn(
    harness,
    publicPage,
    { what: 'Öl läuft aus 🛢️\nשלום', email: 'visitor@acme.example', floor: '-2' },
    {
      scanned: { kind: 'object', id: object.id },
      scanId: newId(),
      metadata: { utm_source: 'poster' },
      openedAtMs: harness.nowMs() - 95_400,
    },
  )
  const { id, number, isRepeat } = await submissionsOf(harness).receive(form)
  expect({ number, isRepeat }).toEqual({ number: 1, isRepeat: false })
  const { body } = await acme.get(`/v1/submissions/${id}`)
  const [, what, email, floor, photo] = page.blocks
  expect(body).toEqual({
    object: 'submission',
    id,
    page_id: page.id,
    submission_number: 1,
    status: 'new',
    priority: 'none',
    flagged: false,
    assignee_id: null,
    resolved_by: null,
    resolved_at: null,
    notes: null,
    data: {
      [what.id]: {
        ...{ type: 'form_textarea', name: 'what', label: 'What happened?' },
        ...{ value: 'Öl läuft aus 🛢️\nשלום', value_label: null, order: 1 },
      },
      [email.id]: {
        ...{ type: 'form_email', name: 'email', label: 'Your email' },
        ...{ value: 'visitor@acme.example', value_label: null, order: 2 },
      },
      [floor.id]: { type: 'form_number', name: 'floor', label: 'Floor', value: -2, value_label: null, order: 3 },
      [photo.id]: { type: 'form_media', name: 'photo', label: 'Photo', value: [], value_label: null, order: 4 },
    },
    metadata: { utm_source: 'poster' },
    destination: { type: 'page', chatbot: null, page: page.id, knowledge_base: null, url: null },
    spam_reason: null,
    viewed_at: null,
    duration_seconds: 95,
    qr_code_id: null,
    product_id: null,
    object_id: object.id,
    scanned: { type: 'object', id: object.id, external_id: null, name: 'Press 7' },
    reply_count: 0,
    created_at: expect.any(String),
    updated_at: body.created_at,
  })
  expect((await acme.get(`/v1/submissions/${id}/events`)).body.data).toMatchObject([
    { type: 'created', actor_id: null, from: null, to: null, created_at: body.created_at },
  ])
  expect(await acme.lastEvent()).toMatchObject({ type: 'page.submission.created', data: body })
  const audited = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
  expect(audited).toEqual([])
})

test('72 visitors at once get numbers without gap or duplicate, on two pages and from two processes', async () => {
  // SQLite has one process. There, both receivers share its connection.
  const { database } = harness.service
  const other = inject('engine') === 'postgres' ? await openDatabase(harness.location) : database
  onTestFinished(async () => {
    if (other !== database) await other.close()
  })
  const receivers = [submissionsOf(harness), newSubmissions({ database: other, keyring: harness.service.keyring })]
  const { acme, page, publicPage: first } = await openForm()
  const another = await createForm(acme)
  const second = await publicPage(harness, acme, another.id)
  const send = (n: number) => {
    const form = filledIn(harness, n % 8 === 0 ? second : first, { what: `Fault ${n}` }, { formKey: `key-${n}` })
    return receivers[Math.floor(n / 3) % 2]!.receive(form)
  }
  const received = await Promise.all(Array.from({ length: 72 }, (_, n) => send(n)))
  const numbers = received.filter((_, n) => n % 8 !== 0).map(({ number }) => number)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(upTo(63))
  expect(await numbersOf(acme, page.id)).toEqual(upTo(63))
  expect(await numbersOf(acme, another.id)).toEqual(upTo(9))
  for (const [n, { id, number }] of received.entries()) {
    const { body } = await acme.get(`/v1/submissions/${id}`)
    expect(body.submission_number).toBe(number)
    expect(JSON.stringify(body.data)).toContain(`"Fault ${n}"`)
  }
  const events = (await acme.get('/v1/events?type=page.submission.created&limit=100')).body.data
  expect(events).toHaveLength(72)
})

test('a form that cannot be stored leaves no gap, and the others of its batch are stored', async () => {
  const { acme, page, publicPage } = await openForm()
  const submissions = submissionsOf(harness)
  const file = { id: newId(), file_name: 'crack.jpg', media_type: 'image/jpeg', size_bytes: 10 }
  const send = (n: number) => {
    const isBroken = n % 5 === 2
    return submissions.receive(
      filledIn(
        harness,
        publicPage,
        { what: `Fault ${n}`, ...(isBroken && { photo: file.id }) },
        isBroken ? { files: [file] } : {},
      ),
    )
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => send(n)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(6)
  for (const { reason } of refused) expect(reason).toBeInstanceOf(FilesGone)
  expect(await numbersOf(acme, page.id)).toEqual(upTo(24))
  expect((await receive(harness, acme, page.id)).number).toBe(25)
})

test('a form that is sent again, also at once, is stored once and gets the same number', async () => {
  const { acme, page, publicPage } = await openForm()
  const submissions = submissionsOf(harness)
  const send = () => submissions.receive(filledIn(harness, publicPage, {}, { formKey: 'tab-1' }))
  const together = await Promise.all(Array.from({ length: 10 }, send))
  const [first] = together
  expect(new Set(together.map(({ id, number }) => `${id} ${number}`)).size).toBe(1)
  expect(together.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
  expect(await send()).toEqual({ ...first, isRepeat: true })
  expect(await numbersOf(acme, page.id)).toEqual([1])

  const elsewhere = await createForm(acme)
  expect(await receive(harness, acme, elsewhere.id, {}, { formKey: 'tab-1' })).toMatchObject({
    number: 1,
    isRepeat: false,
  })

  await acme.delete(`/v1/submissions/${first?.id}`)
  expect(await send()).toEqual({ ...first, isRepeat: true })

  harness.advance(DAY_MS)
  await deleteExpired(harness.service.database, harness.nowMs(), 400)
  expect(await send()).toEqual({ ...first, isRepeat: true })
  harness.advance(2 * DAY_MS)
  await deleteExpired(harness.service.database, harness.nowMs(), 400)
  expect(await send()).toMatchObject({ number: 2, isRepeat: false })
})

test('a page that was deleted in the meantime takes nothing, and its submissions stay', async () => {
  const { acme, page, publicPage } = await openForm()
  const { id } = await receive(harness, acme, page.id)
  await acme.delete(`/v1/pages/${page.id}`)
  const send = () => submissionsOf(harness).receive(filledIn(harness, publicPage, {}, { formKey: 'late' }))
  for (const outcome of await Promise.allSettled([send(), send()])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(PageGone) })
  }
  expect((await acme.get(`/v1/submissions?page_id=${page.id}`)).body.data).toMatchObject([{ id }])
})

test('suspected spam is stored with its reason and a number, without an event', async () => {
  const { acme, page } = await openForm()
  const { id, number } = await receive(harness, acme, page.id, {}, { suspicion: 'honeypot' })
  expect(number).toBe(1)
  expect((await acme.get(`/v1/submissions/${id}`)).body).toMatchObject({ status: 'spam', spam_reason: 'honeypot' })
  expect((await acme.get('/v1/events?type=page.submission.created')).body.data).toEqual([])
})

test('a transaction that is rolled back takes no number', async () => {
  const { acme, page, publicPage } = await openForm()
  const { database } = harness.service
  await expect(
    database.write(async (tx) => {
      await tx
        .updateTable('page_counters')
        .set({ submission_count: 7 })
        .where('org_id', '=', acme.orgId)
        .where('page_id', '=', page.id)
        .execute()
      throw new Error('crash')
    }, acme.orgId),
  ).rejects.toThrow('crash')
  expect(await submissionsOf(harness).receive(filledIn(harness, publicPage))).toMatchObject({ number: 1 })
})

test('few statements store many forms', async () => {
  const { publicPage } = await openForm()
  const submissions = submissionsOf(harness)
  const send = (n: number) => submissions.receive(filledIn(harness, publicPage, {}, { formKey: `few-${n}` }))
  const statements = await harness.statementsOf(() => Promise.all(Array.from({ length: 65 }, (_, n) => send(n))))
  const writes = statements.filter(({ sql }) => /^(insert|update|select)/.test(sql))
  expect(writes.length).toBeLessThan(20)
})

test('long forms are stored in small transactions', async () => {
  const { publicPage } = await openForm()
  const submissions = submissionsOf(harness)
  const send = (n: number) =>
    submissions.receive(filledIn(harness, publicPage, { what: 'x'.repeat(8000) }, { formKey: `long-${n}` }))
  const statements = await harness.statementsOf(() => Promise.all(Array.from({ length: 22 }, (_, n) => send(n))))
  const inserts = statements.filter(({ sql }) => sql.startsWith('insert into "submissions"'))
  // Seven fit into a transaction.
  expect(inserts).toHaveLength(4)
})
