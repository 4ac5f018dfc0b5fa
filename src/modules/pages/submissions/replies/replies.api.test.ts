import { expect, test } from 'vitest'
import { newId } from '../../../../platform/ids/index.ts'
import { createForm, receive } from '../../../../testing/data/submissions.ts'
import { insertTestRows } from '../../../../testing/engines/insert-test-rows.ts'
import { useHarness } from '../../../../testing/harness.ts'

const harness = useHarness()

async function openSubmission(more: Parameters<typeof receive>[4] = {}) {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const { id } = await receive(harness, acme, page.id, { what: 'The wand drips.' }, more)
  return { acme, page, id, path: `/v1/submissions/${id}` }
}

test('a reply is listed, counted, an event with the submission, an activity, and in the audit log without its text', async () => {
  const { acme, id, path } = await openSubmission()
  const agent = await harness.createPerson(acme, 'agent')
  const first = await agent.post(`${path}/replies`, { text: 'We have ordered\na new seal. 🛢' })
  expect(first).toMatchObject({
    status: 201,
    body: {
      object: 'submission_reply',
      submission_id: id,
      author_id: agent.userId,
      text: 'We have ordered\na new seal. 🛢',
      mailed: false,
    },
  })
  expect(await acme.lastEvent()).toMatchObject({
    type: 'submission.replied',
    data: { object: 'submission', id, status: 'new', reply_count: 1, reply: first.body },
  })
  const second = (await acme.post(`${path}/replies`, { text: 'It is fitted.' })).body
  expect(second.author_id).toBeNull()
  expect((await acme.get(`${path}/replies`)).body.data).toEqual([second, first.body])
  expect((await acme.get(path)).body).toMatchObject({ reply_count: 2, status: 'new' })
  const activity = (await acme.get(`${path}/events`)).body.data
  expect(activity.map(({ type, actor_id }: any) => [type, actor_id])).toEqual([
    ['replied', null],
    ['replied', agent.userId],
    ['created', null],
  ])
  const entries = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
  expect(entries.map(({ action }: any) => action)).toEqual(['submission.replied', 'submission.replied'])
  expect(JSON.stringify(entries)).not.toContain('seal')
})

test('replies are plain text of 1 to 5,000 characters, and not blank', async () => {
  const { acme, path } = await openSubmission()
  for (const body of [{}, { text: '' }, { text: ' \n' }, { text: 'x'.repeat(5001) }, { text: 'x', html: 'x' }]) {
    expect(await acme.post(`${path}/replies`, body)).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  }
  expect((await acme.post(`${path}/replies`, { text: '🛢'.repeat(5000) })).status).toBe(201)
})

test('spam takes no reply, until somebody says that it is none', async () => {
  const { acme, path } = await openSubmission({ suspicion: 'honeypot' })
  expect(await acme.post(`${path}/replies`, { text: 'Hello' })).toMatchObject({
    status: 422,
    body: { error: 'unprocessable', details: { field: 'status', value: 'spam' } },
  })
  await acme.patch(path, { status: 'read' })
  expect((await acme.post(`${path}/replies`, { text: 'Hello' })).status).toBe(201)
})

test('a submission has at most 100 replies, also when the last ones are sent at once', async () => {
  const { acme, id, path } = await openSubmission()
  const { body } = await acme.post(`${path}/replies`, { text: 'Step 1' })
  await harness.service.database.write(async (tx) => {
    const { object: _, ...reply } = body
    const rows = Array.from({ length: 97 }, () => ({ ...reply, id: newId(), org_id: acme.orgId }))
    await insertTestRows(tx, 'submission_replies', rows)
    await tx
      .updateTable('submissions')
      .set({ reply_count: 98 })
      .where('org_id', '=', acme.orgId)
      .where('id', '=', id)
      .execute()
  })
  const sent = await Promise.all([1, 2, 3, 4].map((n) => acme.post(`${path}/replies`, { text: `Last ${n}` })))
  expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
  expect((await acme.get(`${path}/replies?limit=100`)).body.data).toHaveLength(100)
  expect((await acme.get(path)).body.reply_count).toBe(100)
})

test('an erased submission has no reply any more, nor has its event', async () => {
  const { acme, id, path } = await openSubmission()
  await acme.post(`${path}/replies`, { text: 'Dear Zebrafinch' })
  expect((await acme.delete(path)).status).toBe(204)
  expect((await acme.post(`${path}/replies`, { text: 'Hello' })).status).toBe(410)
  expect((await acme.get(`${path}/replies`)).status).toBe(410)
  const [event] = (await acme.get('/v1/events?type=submission.replied')).body.data
  expect(event.data).toMatchObject({ id, data: {}, reply: { text: '' } })
  const { kysely } = harness.service.database
  for (const table of ['submission_replies', 'submission_receipts'] as const) {
    expect(await kysely.selectFrom(table).select('id').where('org_id', '=', acme.orgId).execute()).toEqual([])
  }
})
