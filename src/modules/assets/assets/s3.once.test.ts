import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { TestS3Server } from '../../../testing/world/s3-server.ts'
import { newGif, SAMPLES } from './testing/sample-files.ts'

const s3 = await TestS3Server.start()
const harness = useHarness({ config: { s3: s3.settings } })
afterAll(() => s3.close())

const serve = ({ url }: { url: string }, headers = {}) => fetch(harness.baseUrl + new URL(url).pathname, { headers })

test('a service with a bucket stores, serves and removes files there, and keeps none on its disk', async () => {
  const acme = await harness.createTenant()
  const content = Buffer.concat([SAMPLES.mp4.content, Buffer.from('0123456789'.repeat(50_000))])
  const asset = (await acme.post('/v1/assets', content)).body
  expect(await s3.files()).toEqual([asset.url.split('/').at(-1)])
  expect(await readdir(join(harness.folder, 'assets'))).toEqual([])
  const whole = await serve(asset)
  expect(whole.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
  const part = await serve(asset, { range: 'bytes=24-33' })
  expect([part.status, await part.text()]).toEqual([206, '0123456789'])
  expect((await acme.delete(`/v1/assets/${asset.id}`)).status).toBe(204)
  await eventually(async () => (await s3.files()).length === 0)
  expect((await serve(asset)).status).toBe(404)
})

test('a refused upload leaves nothing in the bucket', async () => {
  const acme = await harness.createTenant()
  expect((await acme.post('/v1/assets', 'text')).status).toBe(400)
  expect(await s3.files()).toEqual([])
})

// Last: it stops the server.
test('a bucket that is away makes uploads fail, leaves no asset behind, and nothing else fails', async () => {
  const acme = await harness.createTenant()
  await s3.stop()
  const { status, body, headers } = await acme.post('/v1/assets', newGif())
  expect({ status, error: body.error }).toEqual({ status: 503, error: 'service_unavailable' })
  expect(headers.get('retry-after')).toBe('1')
  expect((await acme.get('/v1/assets')).body.data).toEqual([])
  expect((await acme.get('/v1/me')).status).toBe(200)
  expect(await readdir(join(harness.folder, 'assets'))).toEqual([])
})
