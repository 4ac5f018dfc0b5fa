import { expect, test } from 'vitest'
import { useHarness } from '../../testing/harness.ts'

const harness = useHarness()

test('smoke', async () => {
  const acme = await harness.createTenant()
  const group = (await acme.post('/v1/qr-groups', { name: 'G', destination: { url: 'https://acme.com/g' } })).body
  expect(group).toMatchObject({ status: 'active', qr_code_count: 0 })
  const reply = await acme.post('/v1/qr-codes', { name: 'A', group_id: group.id })
  expect(reply.body).toMatchObject({ status: 'unconfigured', name: 'A' })
  const code = reply.body
  expect((await acme.get(`/v1/qr-codes/${code.public_slug}`)).body).toEqual(code)
  expect((await acme.patch(`/v1/qr-codes/${code.id}`, { destination: { url: 'https://acme.com/x' } })).body).toMatchObject({ status: 'active' })
  expect((await acme.patch(`/v1/qr-codes/${code.id}`, { status: 'archived' })).body).toMatchObject({ status: 'archived' })
  expect((await acme.get('/v1/qr-codes')).body).toMatchObject({ total: 0, data: [] })
  expect((await acme.get('/v1/qr-codes?status=archived')).body).toMatchObject({ total: 1 })
  expect((await acme.get(`/v1/qr-groups/${group.id}`)).body).toMatchObject({ qr_code_count: 1 })
  const put = await acme.put(`/v1/qr-codes/${code.id}/url-params`, { url_params: [{ key: 'a', value: 'b' }] })
  expect(put.body).toMatchObject({ total: 1, page_size: 100 })
  const batch = await acme.post('/v1/qr-codes/batch', { count: 1000, name_prefix: 'Chair' })
  expect(batch.status).toBe(201)
  expect(new Set(batch.body.data.map((c: any) => c.public_slug)).size).toBe(1000)
  for (const sort of ['recent', 'name', 'scans']) expect((await acme.get(`/v1/qr-codes?sort=${sort}`)).body).toMatchObject({ total: 1000 })
  expect((await acme.get('/v1/qr-codes?search=chair%20999')).body).toMatchObject({ total: 1 })
  for (const format of ['svg', 'png', 'pdf', 'json']) {
    const image = await acme.get(`/v1/qr-codes/${code.id}/image?format=${format}`)
    expect(image.status).toBe(200)
    expect((await acme.get(`/v1/qr-codes/${code.id}/image?format=${format}`, { 'if-none-match': image.headers.get('etag')! })).status).toBe(304)
  }
  expect((await acme.get(`/v1/qr-codes/${code.id}/scans`)).body.data).toEqual([])
  expect((await acme.delete(`/v1/qr-codes/${code.public_slug}`)).status).toBe(204)
  expect((await acme.get(`/v1/qr-codes/${code.public_slug}`)).status).toBe(410)
  expect((await acme.delete(`/v1/qr-groups/${group.id}`)).status).toBe(204)
  expect((await acme.get('/v1/events?limit=3')).body.data.map((e: any) => e.type)).toEqual(['qr_group.deleted', 'qr_code.deleted', 'qr_code.created'])
})
