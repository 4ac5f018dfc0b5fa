import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { selectTotal, sumOf } from '../../../platform/db/index.ts'
import { RawClient } from '../../../platform/http/testing/raw-client.ts'
import { newId } from '../../../platform/ids/index.ts'
import type { Reply } from '../../../testing/client.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { setLimits } from '../../account/organisations/index.ts'
import { newGif, SAMPLES } from './testing/sample-files.ts'

const MIB = 1024 * 1024
const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })
let acme: Tenant

beforeEach(async () => {
  acme = await harness.createTenant()
})

const upload = (tenant: Tenant, content: Uint8Array | string, query = '', headers: Record<string, string> = {}) =>
  tenant.post(`/v1/assets${query}`, content, { 'content-type': 'application/octet-stream', ...headers })
const create = async (tenant: Tenant, content: Uint8Array = newGif(), query = ''): Promise<any> => {
  const reply = await upload(tenant, content, query)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const pathOf = ({ url }: { url: string }) => url.replace('https://go.acme.com', '')
const serve = (asset: { url: string }, init: RequestInit = {}) => fetch(harness.baseUrl + pathOf(asset), init)
const filesOf = async (): Promise<string[]> => (await readdir(join(harness.folder, 'assets')).catch(() => [])).sort()
const usedBytes = ({ orgId }: Tenant) =>
  selectTotal(harness.service.database.read, orgId, sumOf('assets', 'size_bytes'))
const setStorage = ({ orgId }: Tenant, storage_bytes_max: number) =>
  harness.service.database.write((tx) => setLimits(tx, orgId, { storage_bytes_max }, timestamp(harness.nowMs())))
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status).sort()

describe('an upload', () => {
  test.each(Object.entries(SAMPLES))(
    'of a file with the content of .%s is stored and served as it is',
    async (extension, sample) => {
      const content = Buffer.concat([sample.content, Buffer.from('tail')])
      const asset = await create(acme, content, '?file_name=oak%20chair')
      expect(asset).toEqual({
        object: 'asset',
        id: expect.any(String),
        url: expect.stringMatching(
          new RegExp(`^https://go\\.acme\\.com/assets/[0-9a-f]{64}-[0-9A-Za-z]{8}\\.${extension}$`),
        ),
        file_name: 'oak chair',
        media_type: sample.type,
        size_bytes: content.length,
        ...(['png', 'gif', 'ico'].includes(extension) ? { width: 1, height: 1 } : { width: null, height: null }),
        is_referenced: false,
        created_at: expect.any(String),
      })
      const served = await serve(asset)
      expect(Buffer.from(await served.arrayBuffer())).toEqual(content)
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': sample.type,
        'content-length': String(content.length),
        'content-disposition': 'inline',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      if (extension !== 'pdf') expect(served.headers.get('content-security-policy')).toMatch(/; sandbox$/)
    },
  )

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG with a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a script', 'alert(1)'],
    ['a ZIP file', 'PK\x03\x04\x14\0\0\0\0\0'],
    ['a program', 'MZ\x90\0\x03\0\0\0'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['QuickTime', '\0\0\0\x14ftypqt  \0\0\x02\0qt  '],
    ['SVG before an image', `<svg xmlns="http://www.w3.org/2000/svg"/>${SAMPLES.gif.content.toString('latin1')}`],
    ['one byte', 'G'],
  ])('is refused: %s, even if its header says otherwise', async (_name, content) => {
    const files = await filesOf()
    const { status, body } = await upload(acme, Buffer.from(content, 'latin1'), '', { 'content-type': 'image/png' })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
    expect(body.details.formErrors).toEqual([expect.stringMatching(/^Must be a JPEG, PNG,/)])
    expect(await filesOf()).toEqual(files)
  })

  test('of an image that is also a page or a script is served as the image only, in a sandbox', async () => {
    const polyglot = Buffer.concat([
      SAMPLES.gif.content,
      Buffer.from('/*<!doctype html><script>alert(document.domain)</script>*/=1;alert(1)'),
    ])
    const asset = await create(acme, polyglot, '?file_name=image.html')
    expect(asset.url).toMatch(/\.gif$/)
    const { headers } = await serve(asset, { headers: { accept: 'text/html' } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/gif',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  test('has a name that can be displayed', async () => {
    const nameOf = async (name: string) =>
      (await create(acme, newGif(), `?file_name=${encodeURIComponent(name)}`)).file_name
    expect(await nameOf('דלת 🚪.png')).toBe('דלת 🚪.png')
    expect(await nameOf('../../etc/passwd')).toBe('....etcpasswd')
    expect(await nameOf('a\u202egnp.exe')).toBe('agnp.exe')
    expect(await nameOf('..')).toBe('file.gif')
    expect((await create(acme)).file_name).toBe('file.gif')
    expect((await upload(acme, newGif(), `?file_name=${'x'.repeat(256)}`)).status).toBe(400)
  })

  test('of the same content returns the existing asset with 200, and stores no other file', async () => {
    const content = newGif()
    const first = await create(acme, content, '?file_name=first.gif')
    const files = await filesOf()
    const again = await upload(acme, content, '?file_name=second.gif')
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first })
    expect(await filesOf()).toEqual(files)
    expect((await acme.get('/v1/assets')).body.data).toHaveLength(1)
  })

  test('of the same content by two organisations are two files, and neither tells about the other', async () => {
    const content = newGif()
    const other = await harness.createTenant()
    const [mine, theirs] = [await create(acme, content), await create(other, content)]
    expect(mine.url.slice(0, -13)).not.toBe(theirs.url.slice(0, -13))
    expect((await other.delete(`/v1/assets/${theirs.id}`)).status).toBe(204)
    await eventually(async () => (await serve(theirs)).status === 404)
    expect((await serve(mine)).status).toBe(200)
  })

  test('of the same content, many at once, are one asset with one file', async () => {
    const content = newGif()
    const before = await filesOf()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () =>
        eventually(async () => {
          const reply = await upload(acme, content)
          return reply.status !== 503 && reply
        }),
      ),
    )
    expect(statusesOf(replies)).toEqual([...Array(11).fill(200), 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect((await acme.get('/v1/assets')).body.data).toHaveLength(1)
    await eventually(async () => (await filesOf()).length === before.length + 1)
    expect(await usedBytes(acme)).toBe(content.length)
    expect((await serve(replies[0]?.body)).status).toBe(200)
  })

  test('that races the deletion of the same content leaves no asset without its file', async () => {
    const content = newGif()
    for (let round = 0; round < 15; round++) {
      const { id } = (await upload(acme, content)).body
      const [again, deletion] = await Promise.all([upload(acme, content), acme.delete(`/v1/assets/${id}`)])
      expect([200, 201]).toContain(again.status)
      expect(deletion.status).toBe(204)
      const { data } = (await acme.get('/v1/assets')).body
      for (const asset of data) expect((await serve(asset)).status).toBe(200)
    }
  })

  test('with an Idempotency-Key is stored once, and the key cannot be used for another file', async () => {
    const key = { 'idempotency-key': 'upload' }
    const content = newGif()
    const first = await upload(acme, content, '?file_name=a.gif', key)
    await acme.delete(`/v1/assets/${first.body.id}`)
    const again = await upload(acme, content, '?file_name=a.gif', key)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await acme.get('/v1/assets')).body.data).toEqual([])
    expect((await upload(acme, newGif(), '?file_name=a.gif', key)).body.error).toBe('idempotency_conflict')
    expect((await upload(acme, content, '?file_name=b.gif', key)).body.error).toBe('idempotency_conflict')
  })

  test('without a length is limited while it arrives, and leaves nothing behind', async () => {
    const files = await filesOf()
    const sizes = async function* (mebibytes: number) {
      yield SAMPLES.gif.content
      for (let n = 0; n < mebibytes; n++) yield Buffer.alloc(MIB, n)
    }
    const send = (mebibytes: number) =>
      fetch(`${harness.baseUrl}/v1/assets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${acme.apiKey}` },
        body: ReadableStream.from(sizes(mebibytes)),
        duplex: 'half',
      } as unknown as RequestInit)
    expect((await send(14)).status).toBe(201)
    expect((await send(16)).status).toBe(413)
    await eventually(async () => (await filesOf()).length === files.length + 1)
  })

  test('that a client abandons leaves nothing behind', async () => {
    const files = await filesOf()
    const client = new RawClient(harness.service.port)
    const head = [
      'POST /v1/assets HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${acme.apiKey}`,
      `Content-Length: ${MIB}`,
    ]
    client.send(`${head.join('\r\n')}\r\n\r\nGIF89a`)
    await eventually(async () => (await filesOf()).length === files.length + 1)
    client.socket.destroy()
    await eventually(async () => (await filesOf()).length === files.length)
    expect((await acme.get('/v1/assets')).body.data).toEqual([])
  })
})

describe('storage', () => {
  test('is limited for all files of an organisation together, exactly, also when they come at once', async () => {
    const size = newGif().length
    const contents = Array.from({ length: 8 }, (_, n) => Buffer.concat([SAMPLES.gif.content], size + n))
    const room = contents.slice(0, 3).reduce((sum, { length }) => sum + length, 0) + size - 1
    await setStorage(acme, room)
    const replies = await Promise.all(
      contents.map((content) =>
        eventually(async () => {
          const reply = await upload(acme, content)
          return reply.status !== 503 && reply
        }),
      ),
    )
    const stored = replies.filter(({ status }) => status === 201)
    expect(stored.length).toBeLessThanOrEqual(3)
    expect(await usedBytes(acme)).toBe(stored.reduce((sum, { body }) => sum + body.size_bytes, 0))
    expect(await usedBytes(acme)).toBeLessThanOrEqual(room)
    const refused = replies.find(({ status }) => status === 422)
    expect(refused?.body).toMatchObject({
      error: 'unprocessable',
      details: { reason: 'storage_full', limit_bytes: room },
    })
    // The same content takes no more room.
    await setStorage(acme, 1)
    expect((await upload(acme, contents[replies.findIndex(({ status }) => status === 201)]!)).status).toBe(200)
  })

  test('is free again when an asset is deleted', async () => {
    const asset = await create(acme)
    await setStorage(acme, asset.size_bytes)
    expect((await upload(acme, newGif())).status).toBe(422)
    await acme.delete(`/v1/assets/${asset.id}`)
    expect(await usedBytes(acme)).toBe(0)
    expect((await upload(acme, SAMPLES.gif.content)).status).toBe(201)
  })
})

describe('serving', () => {
  const content = Buffer.concat([SAMPLES.mp4.content, Buffer.from('0123456789'.repeat(100))])
  const size = content.length

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=100-', 100, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=${size - 5}-${size + 100}`, size - 5, size - 1],
    [`bytes=-${size + 5}`, 0, size - 1],
  ])('returns the part %s', async (range, start, end) => {
    const reply = await serve(await create(acme, content), { headers: { range } })
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(content.subarray(start, end + 1))
  })

  test.each(['bytes=5-1', `bytes=${size}-`, 'bytes=-0'])('refuses the part %s with 416', async (range) => {
    const reply = await serve(await create(acme, content), { headers: { range } })
    expect(reply.status).toBe(416)
    expect(reply.headers.get('content-range')).toBe(`bytes */${size}`)
  })

  test.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'nonsense'])('ignores the range %s', async (range) => {
    const reply = await serve(await create(acme, content), { headers: { range } })
    expect({ status: reply.status, bytes: (await reply.arrayBuffer()).byteLength }).toEqual({
      status: 200,
      bytes: size,
    })
  })
})

test('an asset is in the audit log with its creation and deletion', async () => {
  const { id } = await create(acme)
  await acme.delete(`/v1/assets/${id}`)
  const { data } = (await acme.get(`/v1/audit-log?resource=${id}`)).body
  expect(data.map(({ action }: any) => action)).toEqual(['asset.deleted', 'asset.created'])
})

test('an id of another kind, or of a file that is not public, is not found', async () => {
  const product = (await acme.post('/v1/products', { name: 'Chair' })).body.id
  for (const id of [product, newId()]) {
    expect((await acme.get(`/v1/assets/${id}`)).status).toBe(404)
    expect((await acme.delete(`/v1/assets/${id}`)).status).toBe(404)
  }
})
