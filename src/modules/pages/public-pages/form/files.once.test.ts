import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
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

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
let tenant: Tenant
let photo: Buffer
beforeAll(async () => {
  tenant = await harness.createTenant()
  photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c01' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
    .jpeg()
    .toBuffer()
})

const PDF = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')

async function visit() {
  const page = await createPage(tenant, [...FIELDS, PHOTOS])
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  return { page, visitor }
}

const received = (page: { id: string }) => submissionsOf(harness, tenant, page)

/** The content of a stored file, and what refers to it. */
async function storedFile(id: string) {
  const { kysely } = harness.service.database
  const row = await kysely
    .selectFrom('assets')
    .selectAll()
    .where('org_id', '=', tenant.orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

test('a photo is stored privately and without its location, and belongs to the submission', async () => {
  const { page, visitor } = await visit()
  const { status } = await visitor.sendFiles({ what: 'It leaks' }, [
    ['photos', photo, '../../etc/passwd.jpg'],
    ['photos', PDF, 'invoice.exe'],
    ['unknown', photo, 'dropped.jpg'],
  ])
  expect(status).toBe(303)
  const [submission] = await received(page)
  const files = valuesOf(submission!).Photos as { file_id: string }[]
  expect(files).toMatchObject([
    { file_name: 'passwd.jpg', media_type: 'image/jpeg' },
    { file_name: 'invoice.pdf', media_type: 'application/pdf', size_bytes: PDF.length },
  ])
  const [{ file_id = '' } = {}] = files
  const row = await storedFile(file_id)
  expect(row).toMatchObject({ visibility: 'private', unreferenced_since: null })
  expect((await harness.client().get(`/assets/${row.name}`)).status).toBe(404)
  const download = await fetch(`${harness.baseUrl}/v1/submissions/${submission!.id}/files/${file_id}`, {
    headers: { authorization: `Bearer ${tenant.apiKey}` },
  })
  expect((await sharp(photo).metadata()).exif).toBeDefined()
  expect((await sharp(await download.arrayBuffer()).metadata()).exif).toBeUndefined()
})

test('files survive a form that is shown again, without and with the script', async () => {
  const { page, visitor } = await visit()
  const refused = await visitor.sendFiles({ what: '' }, [['photos', photo, 'photo.jpg']])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('photo.jpg')
  const [token = ''] = tokensIn(refused.text)
  visitor.hidden = hiddenIn(refused.text)
  expect((await visitor.send({ what: 'It leaks', '_wm_file:photos': token })).status).toBe(303)
  const uploaded = await visitor.upload('photos', 'second.png', await sharp(photo).png().toBuffer())
  expect(uploaded).toMatchObject({ status: 200, json: { token: expect.any(String), name: 'second.png' } })
  const sent = await visitor.sendByScript({ what: 'Again', '_wm_file:photos': uploaded.json.token, _wm_key: '' })
  expect(sent.status).toBe(200)
  const [first, second] = (await received(page)).map(valuesOf)
  expect(first?.Photos).toMatchObject([{ file_name: 'photo.jpg' }])
  expect(second?.Photos).toMatchObject([{ file_name: 'second.png', media_type: 'image/png' }])
})

test('a token is worth nothing on another page, in another field, changed or too late', async () => {
  const { visitor } = await visit()
  const other = await visit()
  const { json } = await visitor.upload('photos', 'photo.jpg', photo)
  const send = async (sender: PageVisitor, token: string) =>
    (await sender.sendByScript({ what: 'It leaks', '_wm_file:photos': token })).json
  const missing = { errors: { photos: 'A file did not arrive. Please choose it again.' } }
  expect(await send(other.visitor, json.token)).toMatchObject(missing)
  expect(await send(visitor, `${json.token.slice(0, -4)}AAAA`)).toMatchObject(missing)
  expect(await send(visitor, '999999999.AAAA')).toMatchObject(missing)
  harness.advance(21 * HOUR_MS)
  expect(await send(visitor, json.token)).toMatchObject(missing)
})

test('what is no image, no PDF, too large or one too many is refused, and the rest is kept', async () => {
  const { page, visitor } = await visit()
  const hostile: [string, Uint8Array][] = [
    ['bomb.jpg', gzipSync(Buffer.alloc(100_000))],
    ['page.jpg', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['archive.jpg', Buffer.from('PK\x03\x04'.padEnd(200, 'x'))],
    ['cut.jpg', photo.subarray(0, 100)],
  ]
  for (const [name, content] of hostile) {
    const { status, json } = await visitor.upload('photos', name, content)
    expect([name, status, json.message]).toEqual([name, 422, 'This type of file is not accepted here.'])
  }
  const large = Buffer.concat([photo, Buffer.alloc(1024 * 1024)])
  expect(await visitor.upload('photos', 'large.jpg', large)).toMatchObject({ status: 413 })
  expect(await visitor.upload('what', 'photo.jpg', photo)).toMatchObject({ status: 404 })
  const tooLarge = await visitor.sendFiles({ what: 'It leaks' }, [
    ['photos', large, 'large.jpg'],
    ['photos', photo, 'photo.jpg'],
  ])
  expect([tooLarge.status, tooLarge.text.includes('At most 1 MB')]).toEqual([422, true])
  expect(tokensIn(tooLarge.text)).toHaveLength(1)
  const tooMany = await visitor.sendFiles(
    { what: 'It leaks' },
    Array.from({ length: 4 }, (_, n) => ['photos', Buffer.concat([PDF, Buffer.from(`${n}`)]), `${n}.pdf`]),
  )
  expect([tooMany.status, tokensIn(tooMany.text).length]).toEqual([422, 2])
  expect(await received(page)).toEqual([])
})

test('a visitor may upload 30 files in a minute, and others go on', async () => {
  const { page, visitor } = await visit()
  const uploads = Array.from({ length: 31 }, (_, n) => Buffer.concat([PDF, Buffer.from(`${n}`)]))
  const statuses: number[] = []
  for (const content of uploads) statuses.push((await visitor.upload('photos', 'a.pdf', content)).status)
  expect(statuses).toEqual([...Array(30).fill(200), 429])
  expect((await new PageVisitor(harness, page).upload('photos', 'a.pdf', PDF)).status).toBe(200)
  harness.advance(2 * MINUTE_MS)
  expect((await visitor.upload('photos', 'a.pdf', PDF)).status).toBe(200)
})

test('a file that was deleted meanwhile is asked for again', async () => {
  const { page, visitor } = await visit()
  const { json } = await visitor.upload('photos', 'own.pdf', Buffer.concat([PDF, Buffer.from('own')]))
  await harness.service.database.kysely
    .deleteFrom('assets')
    .where('org_id', '=', tenant.orgId)
    .where('file_name', '=', 'own.pdf')
    .execute()
  const refused = await visitor.send({ what: 'It leaks', '_wm_file:photos': json.token })
  expect([refused.status, tokensIn(refused.text)]).toEqual([422, []])
  expect(refused.text).toContain('A file did not arrive.')
  expect(await received(page)).toEqual([])
})
