/** A form whose file cannot be stored is shown again with everything that was typed, and leaves nothing behind. */
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../../../../platform/clock/index.ts'
import { type Harness, type Tenant, useHarness } from '../../../../testing/harness.ts'
import {
  createPage,
  FIELDS,
  hiddenIn,
  PageVisitor,
  PHOTOS,
  submissionsOf,
  tokensIn,
  valuesOf,
} from '../../../../testing/page-visitor.ts'
import { TestS3Server } from '../../../../testing/world/s3-server.ts'
import { setLimits } from '../../../account/organisations/index.ts'
import { TEXTS } from '../texts.ts'

const { failed, problems } = TEXTS.en.form
const PDF = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')
let photo: Buffer
beforeAll(async () => {
  photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c01' } })
    .jpeg()
    .toBuffer()
})

async function visit(harness: Harness, tenant: Tenant) {
  const page = await createPage(tenant, [...FIELDS, PHOTOS])
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  return { page, visitor }
}

const folderOf = ({ folder }: Harness) => join(folder, 'assets')

async function expectNothingStored(harness: Harness, tenant: Tenant, page: { id: string }): Promise<void> {
  expect(await submissionsOf(harness, tenant, page)).toEqual([])
  const { kysely } = harness.service.database
  expect(await kysely.selectFrom('assets').select('id').where('org_id', '=', tenant.orgId).execute()).toEqual([])
  expect(await readdir(folderOf(harness))).toEqual([])
}

describe('an organisation without room for another file', () => {
  const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
  const setRoom = (tenant: Tenant, storage_bytes_max: number | null) =>
    harness.service.database.write((tx) =>
      setLimits(tx, tenant.orgId, { storage_bytes_max }, timestamp(harness.nowMs())),
    )

  test.each([
    ['an image', () => photo],
    ['a document', () => PDF],
  ])('keeps what was typed with %s, and takes the form without it', async (_name, content) => {
    const acme = await harness.createTenant()
    await setRoom(acme, content().length - 60)
    const { page, visitor } = await visit(harness, acme)
    const refused = await visitor.sendFiles({ what: 'It leaks <b>' }, [['photos', content(), 'crack']])
    expect([refused.status, tokensIn(refused.text)]).toEqual([422, []])
    expect(refused.text).toContain('It leaks &lt;b&gt;</textarea>')
    expect(refused.text).toContain(problems.no_space)
    const uploaded = await visitor.upload('photos', 'crack', content())
    expect(uploaded).toMatchObject({ status: 422, json: { message: problems.no_space } })
    await expectNothingStored(harness, acme, page)
    visitor.hidden = hiddenIn(refused.text)
    expect((await visitor.send({ what: 'It leaks <b>' })).status).toBe(303)
    expect((await submissionsOf(harness, acme, page)).map(valuesOf)).toMatchObject([{ Photos: [] }])
  })
})

describe('a folder that cannot be written', () => {
  const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

  /** A file instead of the folder, which fails even for a user who may do everything. */
  async function whileBroken<T>(work: () => Promise<T>): Promise<T> {
    const folder = folderOf(harness)
    await rename(folder, `${folder}.away`)
    await writeFile(folder, '')
    try {
      return await work()
    } finally {
      await rm(folder)
      await rename(`${folder}.away`, folder)
    }
  }

  test('loses nothing that was typed before and after the file, and the form can be sent again', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, [PHOTOS, ...FIELDS])
    const visitor = new PageVisitor(harness, page)
    await visitor.open()
    // Creates the folder.
    expect((await visitor.upload('photos', 'other.txt', Buffer.from('text'))).status).toBe(422)
    const sendWithFiles = () => {
      const body = new FormData()
      body.append('email', 'kim@acme.example')
      body.append('photos', new Blob([Buffer.concat([PDF, Buffer.alloc(900_000)])]), 'large.pdf')
      body.append('photos', new Blob([PDF]), 'small.pdf')
      body.append('what', 'It leaks <b>')
      return visitor.request('POST', visitor.path, body)
    }
    const [refused, uploaded] = await whileBroken(async () => [
      await sendWithFiles(),
      await visitor.upload('photos', 'crack.jpg', photo),
    ])
    expect(refused.status).toBe(500)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(refused.text).toContain(`<p>${failed}</p>`)
    expect(refused.text).toContain('It leaks &lt;b&gt;</textarea>')
    expect(refused.text).toContain('value="kim@acme.example"')
    expect(uploaded).toMatchObject({ status: 500, json: { message: failed } })
    expect(JSON.stringify([refused.text, uploaded.json])).not.toContain(harness.folder)
    await expectNothingStored(harness, acme, page)
    expect((await sendWithFiles()).status).toBe(303)
  })
})

describe('a bucket that is away', async () => {
  const s3 = await TestS3Server.start()
  const harness = useHarness({ config: { trustProxy: '127.0.0.1', s3: s3.settings } })
  afterAll(() => s3.close())

  test('makes forms with files wait, and keeps what was typed', async () => {
    const acme = await harness.createTenant()
    const { page, visitor } = await visit(harness, acme)
    await s3.stop()
    const refused = await visitor.sendFiles({ what: 'It leaks <b>' }, [['photos', photo, 'crack.jpg']])
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(refused.text).toContain('It leaks &lt;b&gt;</textarea>')
    expect(refused.text).toContain(`<p>${failed}</p>`)
    const uploaded = await visitor.upload('photos', 'crack.jpg', photo)
    expect(uploaded).toMatchObject({ status: 503, json: { message: failed } })
    expect(uploaded.headers.get('retry-after')).toBe('5')
    await expectNothingStored(harness, acme, page)
    expect((await visitor.send({ what: 'Without a photo' })).status).toBe(303)
  })
})
