import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assetSettings, openAssetStore } from '../../../main/asset-settings.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createForm, filledIn, publicPage, receive, submissionsOf } from '../../../testing/data/submissions.ts'
import { eventually } from '../../../testing/eventually.ts'
import { testConfig, useMailingHarness, useReceivingHarness } from '../../../testing/harness.ts'
import { storeAsset } from '../../assets/assets/index.ts'

const { harness, smtp } = await useMailingHarness({ role: 'api' })
const { harness: delivering, receiver } = await useReceivingHarness()

/** The tables that have this text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  // Not the service's own connection, whose statements are checked.
  const database = await openDatabase(harness.location)
  const { kysely } = database
  const found: string[] = []
  for (const { name } of await kysely.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(kysely)
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  await database.close()
  return found
}

test('erasing a submission leaves its content nowhere, and its number free of gaps', async () => {
  const acme = await harness.createTenant()
  const member = await harness.createPerson(acme, 'agent')
  const webhook = await harness.subscribe(acme, ['page.submission.created', 'submission.updated'], { isActive: false })
  const page = await createForm(acme, { notify_user_ids: [member.userId] })
  const shown = await publicPage(harness, acme, page.id)
  const submissions = submissionsOf(harness, true)
  const { id } = await submissions.receive(
    filledIn(
      harness,
      shown,
      { what: 'Zebrafinch at gate 4', email: 'zebrafinch@acme.example' },
      {
        metadata: { utm_source: 'zebrafinch' },
        formKey: 'zebrafinch-key',
      },
    ),
  )
  const { id: other } = await submissions.receive(filledIn(harness, shown, { what: 'A crow' }))
  for (const notes of ['zebrafinch called', 'zebrafinch called again']) {
    await acme.patch(`/v1/submissions/${id}`, { notes, flagged: true })
  }
  await acme.post(`/v1/submissions/${id}/replies`, { text: 'Dear Zebrafinch, it is repaired.' })
  expect((await tablesWith('ebrafinch')).sort()).toEqual(['events', 'mails', 'submission_replies', 'submissions'])
  const mailsOf = async () => harness.service.database.kysely.selectFrom('mails').select('subject_id').execute()
  // To the member and, as a receipt and because of the reply, to the visitor.
  expect((await mailsOf()).map(({ subject_id }) => subject_id).sort()).toEqual([id, id, id, other].sort())

  expect((await harness.client(acme.apiKey).delete(`/v1/submissions/${id}`)).status).toBe(403)
  const erased = await acme.delete(`/v1/submissions/${id}`)
  expect({ status: erased.status, text: erased.text }).toEqual({ status: 204, text: '' })
  expect(await tablesWith('ebrafinch')).toEqual([])
  expect((await mailsOf()).map(({ subject_id }) => subject_id)).toEqual([other])
  for (const reply of [
    await acme.get(`/v1/submissions/${id}`),
    await acme.delete(`/v1/submissions/${id}`),
    await acme.patch(`/v1/submissions/${id}`, {}),
    await acme.get(`/v1/submissions/${id}/events`),
  ]) {
    expect(reply).toMatchObject({ status: 410, body: { error: 'gone' } })
  }
  expect((await acme.get('/v1/submissions')).body.data).toMatchObject([{ id: other, submission_number: 2 }])
  expect((await receive(harness, acme, page.id)).number).toBe(3)

  const { data } = (await acme.get('/v1/events?limit=100')).body
  const about = data.filter((event: any) => event.data.id === id)
  expect(about.map(({ type }: any) => type)).toEqual([
    'submission.deleted',
    'submission.replied',
    'submission.updated',
    'submission.updated',
    'page.submission.created',
  ])
  const [deleted, ...others] = about
  expect(deleted.data).toEqual({ object: 'submission', id, deleted: true, deleted_at: expect.any(String) })
  for (const event of others) expect(event.data).toMatchObject({ data: {}, metadata: {}, notes: null })
  const held = (await acme.get(`/v1/webhooks/${webhook.id}/deliveries`)).body.data
  expect(held).toHaveLength(5)
  const [entry] = (await acme.get(`/v1/audit-log?resource=${id}`)).body.data
  expect(entry).toMatchObject({ action: 'submission.deleted', changes: null })
  expect(smtp.received).toEqual([])
})

test('a private file can be downloaded with its own name, and is removed with its submission', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const shown = await publicPage(harness, acme, page.id)
  const config = testConfig(harness)
  const assets = assetSettings(config, harness.service.database, await openAssetStore(config))
  const content = Buffer.from('<script>alert(1)</script>')
  const staged = await assets.store.stage([content])
  const ctx = { orgId: acme.orgId, now: timestamp(harness.nowMs()), log: createLogger('silent') }
  const file = { staged, mediaType: 'image/jpeg', extension: 'jpg', fileName: 'Riß "2" 🛢.jpg' }
  const asset = await storeAsset(ctx, file, 'private', assets)
  if (asset === undefined) throw new Error('there is no room')
  const answered = { id: asset.id, file_name: asset.file_name, media_type: 'image/jpeg', size_bytes: content.length }
  const form = filledIn(harness, shown, { photo: asset.id }, { files: [answered] })
  const { id } = await submissionsOf(harness, true).receive(form)
  const path = `/v1/submissions/${id}/files/${asset.id}`
  const reply = await acme.get(path)
  expect(reply).toMatchObject({ status: 200, text: content.toString() })
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="Ri_ _2_ __.jpg"; filename*=UTF-8''Ri%C3%9F%20%222%22%20%F0%9F%9B%A2.jpg`,
  )
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(reply.headers.get('content-length')).toBe(String(content.length))
  await acme.delete(`/v1/submissions/${id}`)
  expect((await acme.get(path)).status).toBe(410)
  const left = await harness.service.database.kysely
    .selectFrom('assets')
    .select('id')
    .where('org_id', '=', acme.orgId)
    .where('id', '=', asset.id)
    .execute()
  expect(left).toEqual([])
})

test('what receivers of webhooks responded about an erased submission is forgotten, and about others is kept', async () => {
  const acme = await delivering.createTenant()
  receiver.reply = (response, { body }) => response.end(body)
  const subscribed = { url: receiver.url('/echo') }
  const webhook = await delivering.subscribe(acme, ['page.submission.created', 'submission.updated'], subscribed)
  const page = await createForm(acme)
  const { id } = await receive(delivering, acme, page.id, { what: 'Zebrafinch at gate 4' })
  const { id: other } = await receive(delivering, acme, page.id, { what: 'A crow' })
  await acme.patch(`/v1/submissions/${id}`, { notes: 'The zebrafinch is gone' })
  const deliveries = `/v1/webhooks/${webhook.id}/deliveries`
  const listDelivered = async (): Promise<any[]> => (await acme.get(`${deliveries}?status=delivered`)).body.data
  const delivered = await eventually(async () => {
    const all = await listDelivered()
    return all.length === 3 && all
  })
  const responses = async () => {
    const details = await Promise.all(delivered.map(async (one) => (await acme.get(`${deliveries}/${one.id}`)).body))
    return details.map(({ payload, attempts }) => [payload.id, attempts])
  }
  const answered = (response_body: unknown) => [{ number: 1, status: 200, error: null, response_body }]
  const zebrafinch = [id, answered(expect.stringContaining('ebrafinch'))]
  const crow = [other, answered(expect.stringContaining('A crow'))]
  expect(await responses()).toMatchObject([zebrafinch, crow, zebrafinch])

  expect((await acme.delete(`/v1/submissions/${id}`)).status).toBe(204)
  expect(await responses()).toMatchObject([[id, answered(null)], crow, [id, answered(null)]])
})
