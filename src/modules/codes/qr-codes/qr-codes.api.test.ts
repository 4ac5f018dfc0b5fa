import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { scan } from '../../../testing/data/scans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { loadScanner, readCode } from '../../../testing/world/scanner.ts'

const harness = useHarness()
let acme: Tenant
let other: Tenant

beforeAll(async () => {
  acme = await harness.createTenant()
  other = await harness.createTenant()
})

const HERE = { destination: { url: 'https://acme.com/here' } }
const create = async (body: object = {}, tenant = acme) => (await tenant.post('/v1/qr-codes', body)).body
const patch = async (id: string, body: object) => (await acme.patch(`/v1/qr-codes/${id}`, body)).body
const names = async (query: string, tenant = acme) => {
  const { data, total } = (await tenant.get(`/v1/qr-codes?${query}`)).body
  return { names: data.map(({ name }: { name: string }) => name), total }
}

describe('a new code', () => {
  test('has its own URL, made of unambiguous characters', async () => {
    const code = await create()
    expect(code.public_slug).toMatch(/^[2-9A-HJ-NP-Za-km-z]{8}$/)
    expect(code.url).toBe(`http://localhost:8080/${code.public_slug}`)
    expect(code).toMatchObject({ group_id: null, name: null, description: null, total_scans: 0, last_scanned_at: null })
  })

  test.each([
    [{}, 'unconfigured'],
    [HERE, 'active'],
    [{ ...HERE, status: 'inactive' }, 'inactive'],
    [{ destination: null }, 'unconfigured'],
    [{ destination: {}, status: 'active' }, 'active'],
  ])('%j has the status %s', async (body, status) => {
    expect(await create(body)).toMatchObject({ status })
  })

  test('emits an event with everything that GET returns', async () => {
    const code = await create({ name: 'Door 🚪 باب', ...HERE })
    expect(await acme.lastEvent()).toMatchObject({ type: 'qr_code.created', data: code })
  })
})

describe('the destination', () => {
  test.each([
    [{ url: 'https://acme.com' }, { type: 'url', url: 'https://acme.com' }],
    [
      { type: 'url', url: 'http://acme.com:8080/a?b#c' },
      { type: 'url', url: 'http://acme.com:8080/a?b#c' },
    ],
    [
      { type: null, chatbot: null, page: null, knowledge_base: null, url: null },
      { type: null, url: null },
    ],
    [{}, { type: null, url: null }],
  ])('%j is stored as it was sent and returned with all five keys', async (destination, kept) => {
    expect((await create({ destination })).destination).toEqual({
      chatbot: null,
      page: null,
      knowledge_base: null,
      ...kept,
    })
  })

  test.each([
    { url: 'acme.com' },
    { url: 'ftp://acme.com' },
    { url: 'javascript:alert(1)' },
    { url: 'https://' },
    { url: 'https://acme.com/ x' },
    { url: `https://acme.com/${'a'.repeat(2032)}` },
    { url: 5 },
    { type: 'url' },
    { type: 'chatbot', url: 'https://acme.com' },
    { type: 'nonsense', url: 'https://acme.com' },
    { url: 'https://acme.com', chatbot: newId() },
    { chatbot: 'not-an-id' },
    { nonsense: 1 },
    'https://acme.com',
    [],
  ])('%j returns 400 and changes nothing', async (destination) => {
    const code = await create(HERE)
    for (const reply of [
      await acme.post('/v1/qr-codes', { destination }),
      await acme.patch(`/v1/qr-codes/${code.id}`, { destination }),
    ]) {
      expect(reply.status).toBe(400)
      expect(reply.body.error).toBe('invalid_payload')
      expect(Object.keys(reply.body.details.fieldErrors)).toEqual([expect.stringMatching(/^destination(\.\w+)?$/)])
    }
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toEqual(code)
  })

  test('must belong to the organisation, and so must the group', async () => {
    const group = (await other.post('/v1/qr-groups', { name: 'Theirs' })).body
    const { id: theirs } = (await other.post('/v1/chatbots', { name: 'Help', status: 'active' })).body
    for (const body of [
      { destination: { chatbot: theirs } },
      { destination: { page: newId() } },
      { destination: { knowledge_base: newId() } },
      { group_id: group.id },
      { group_id: newId() },
    ]) {
      for (const reply of [
        await acme.post('/v1/qr-codes', body),
        await acme.patch(`/v1/qr-codes/${(await create()).id}`, body),
        await acme.post('/v1/qr-codes/batch', { items: [{}, body] }),
      ]) {
        expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 422, error: 'unprocessable' })
      }
    }
  })
})

test('on PostgreSQL, the transaction of a new code is a single message', async ({ skip }) => {
  if (harness.engine === 'sqlite') skip('SQLite has no messages')
  // It has a `commit` of its own until its statements are prepared, and whenever it waits for one of them.
  await eventually(async () => !(await harness.statementsOf(() => create(HERE))).some(({ sql }) => sql === 'commit'))
})

describe('the status follows the destination', () => {
  test('unless the same request sets a status', async () => {
    const { id } = await create()
    expect(await patch(id, HERE)).toMatchObject({ status: 'active' })
    expect(await patch(id, { destination: null })).toMatchObject({ status: 'unconfigured', destination: { url: null } })
    expect(await patch(id, { ...HERE, status: 'inactive' })).toMatchObject({ status: 'inactive' })
    expect(await patch(id, { destination: { url: 'https://acme.com/there' } })).toMatchObject({ status: 'inactive' })
    expect(await patch(id, { destination: {}, status: 'archived' })).toMatchObject({ status: 'archived' })
    expect(await patch(id, { destination: null })).toMatchObject({ status: 'archived' })
    expect(await patch(id, { status: 'active' })).toMatchObject({ status: 'active' })
  })
})

describe('changing', () => {
  test('changes only the sent fields and emits their old and new values', async () => {
    const code = await create({ name: 'Door', description: 'Left', ...HERE })
    harness.advance(1000)
    const after = await patch(code.public_slug, { name: 'Gate', description: null })
    expect(after).toEqual({ ...code, name: 'Gate', description: null, updated_at: expect.any(String) })
    expect(after.updated_at > code.updated_at).toBe(true)
    expect(await acme.lastEvent()).toMatchObject({
      type: 'qr_code.updated',
      data: {
        ...after,
        changes: { name: { from: 'Door', to: 'Gate' }, description: { from: 'Left', to: null } },
      },
    })
  })

  test('to the current values changes nothing and emits no event', async () => {
    const code = await create({ name: 'Same', ...HERE })
    const before = await acme.lastEvent()
    harness.advance(1000)
    expect(await patch(code.id, { name: ' Same ', ...HERE, status: 'active', group_id: null })).toEqual(code)
    expect(await acme.lastEvent()).toEqual(before)
  })

  test('concurrently keeps every change', async () => {
    const { id } = await create()
    await Promise.all([patch(id, { name: 'Both' }), patch(id, { description: 'count' }), patch(id, HERE)])
    expect((await acme.get(`/v1/qr-codes/${id}`)).body).toMatchObject({
      name: 'Both',
      description: 'count',
      status: 'active',
    })
  })

  test.each([
    { name: '' },
    { name: 'x'.repeat(201) },
    { name: 5 },
    { status: null },
    { status: 'deleted' },
    { group_id: 'x' },
    { public_slug: 'aaaaaaaa' },
    { total_scans: 5 },
    { url: 'x' },
  ])('with %j returns 400 and changes nothing', async (body) => {
    const code = await create()
    expect((await acme.patch(`/v1/qr-codes/${code.id}`, body)).body.error).toBe('invalid_payload')
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body).toEqual(code)
  })
})

describe('deleting', () => {
  test('returns 410 by id and by slug, and 404 to other organisations', async () => {
    const { id, public_slug } = await create()
    await acme.put(`/v1/qr-codes/${id}/properties`, { properties: [{ key: 'a', value: 'b' }] })
    expect((await acme.delete(`/v1/qr-codes/${public_slug}`)).status).toBe(204)
    for (const ref of [id, public_slug]) {
      for (const path of ['', '/properties', '/url-params', '/scans', '/image']) {
        expect((await acme.get(`/v1/qr-codes/${ref}${path}`)).body.error, path).toBe('gone')
        expect((await other.get(`/v1/qr-codes/${ref}${path}`)).body.error, path).toBe('not_found')
      }
    }
    expect(await acme.lastEvent()).toMatchObject({
      type: 'qr_code.deleted',
      data: { object: 'qr_code', id, deleted: true, deleted_at: expect.any(String) },
    })
  })
})

describe('lists', () => {
  let tenant: Tenant
  let group: { id: string }

  beforeAll(async () => {
    tenant = await harness.createTenant()
    group = (await tenant.post('/v1/qr-groups', { name: 'Doors' })).body
    for (const [name, status] of [
      ['berta', 'active'],
      ['Änne', 'inactive'],
      [undefined, 'active'],
      ['Anton', 'archived'],
      ['Cäsar', 'unconfigured'],
    ]) {
      const code = await create({ ...(name && { name, group_id: group.id }), status }, tenant)
      const scans = { berta: 2, Anton: 3, Cäsar: 1 }[name ?? ''] ?? 0
      for (let n = 0; n < scans; n++) await scan(harness, `/${code.public_slug}`)
    }
  })

  test.each([
    ['', ['Cäsar', null, 'Änne', 'berta']],
    ['sort=recent', ['Cäsar', null, 'Änne', 'berta']],
    ['sort=name', ['berta', 'Cäsar', 'Änne', null]],
    ['sort=scans', ['berta', 'Cäsar', null, 'Änne']],
    ['status=archived', ['Anton']],
    ['status=archived&sort=scans', ['Anton']],
    ['status=active', [null, 'berta']],
    ['status=active&sort=name', ['berta', null]],
    ['status=active&sort=scans', ['berta', null]],
    // Search also covers the random slugs, so the search terms contain a letter that no slug has.
    ['search=LÄN', []],
    ['search=ÄN', ['Änne']],
    ['search=%25', []],
    ['search=an&status=archived', ['Anton']],
    ['search=', ['Cäsar', null, 'Änne', 'berta']],
  ])('?%s returns the matching codes and their total', async (query, expected) => {
    expect(await names(query, tenant)).toEqual({ names: expected, total: expected.length })
  })

  test('filter by group, search by slug, and page through every sort', async () => {
    expect(await names(`group_id=${group.id}`, tenant)).toEqual({ names: ['Cäsar', 'Änne', 'berta'], total: 3 })
    expect(await names(`group_id=${newId()}`, tenant)).toEqual({ names: [], total: 0 })
    const [first] = (await tenant.get('/v1/qr-codes')).body.data
    expect(await names(`search=${first.public_slug.toUpperCase()}`, tenant)).toMatchObject({ total: 1 })
    for (const sort of ['recent', 'name', 'scans']) {
      const whole = await names(`sort=${sort}`, tenant)
      const pages = [1, 2, 3, 4].map((page) => names(`sort=${sort}&page_size=1&page=${page}`, tenant))
      expect((await Promise.all(pages)).flatMap((page) => page.names)).toEqual(whole.names)
    }
  })

  test.each(['sort=old', 'status=gone', 'search=a&search=b'])('?%s returns 400', async (query) => {
    expect((await tenant.get(`/v1/qr-codes?${query}`)).body.error).toBe('invalid_query')
  })

  test('a malformed group_id returns invalid_id', async () => {
    expect((await tenant.get('/v1/qr-codes?group_id=x')).body.error).toBe('invalid_id')
  })
})

describe('a batch', () => {
  test('repeats its shared fields for every code up to 5 MB in total', async () => {
    const acme = await harness.createTenant()
    const create = (body: object) => acme.post('/v1/qr-codes/batch', { name_prefix: 'Chair', ...body })
    expect((await create({ count: 1000, description: 'x'.repeat(2000) })).status).toBe(201)
    const { status, body } = await create({ count: 1000, description: '\u0001'.repeat(2000) })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
    expect(body.details.formErrors).toEqual([expect.stringContaining('5 MB')])
    expect((await create({ count: 400, description: '\u0001'.repeat(2000) })).status).toBe(201)
  })

  test('creates 1,000 numbered codes, each with its own slug', async () => {
    const tenant = await harness.createTenant()
    const reply = await tenant.post('/v1/qr-codes/batch', { count: 1000, name_prefix: 'Chair', ...HERE })
    expect(reply.status).toBe(201)
    expect(reply.body.object).toBe('list')
    const codes = reply.body.data
    expect(codes.map(({ name }: any) => name)).toEqual(Array.from({ length: 1000 }, (_, n) => `Chair ${n + 1}`))
    expect(new Set(codes.map(({ public_slug }: any) => public_slug)).size).toBe(1000)
    expect((await tenant.get(`/v1/qr-codes/${codes[499].id}`)).body).toEqual(codes[499])
    expect((await tenant.get('/v1/qr-codes')).body.total).toBe(1000)
    expect((await scan(harness, `/${codes[999].public_slug}`)).headers.get('location')).toBe('https://acme.com/here')
  })

  test('creates codes with different fields from items', async () => {
    const { data } = (await acme.post('/v1/qr-codes/batch', { items: [{ name: 'A' }, HERE, {}] })).body
    expect(data.map(({ name, status }: any) => [name, status])).toEqual([
      ['A', 'unconfigured'],
      [null, 'active'],
      [null, 'unconfigured'],
    ])
  })

  test.each([
    {},
    { count: 0 },
    { count: 1001 },
    { count: 1.5 },
    { count: '3' },
    { items: [] },
    { items: Array.from({ length: 1001 }, () => ({})) },
    { items: [{}], count: 1 },
    { items: [{}], name_prefix: 'x' },
    { items: [{ name: '' }] },
    { items: [{ nonsense: 1 }] },
    { count: 2, name: 'x' },
  ])('%j returns 400 and creates nothing', async (body) => {
    const tenant = await harness.createTenant()
    expect((await tenant.post('/v1/qr-codes/batch', body)).body.error).toBe('invalid_payload')
    expect((await tenant.get('/v1/qr-codes')).body.total).toBe(0)
    expect((await tenant.get('/v1/events')).body.data).toEqual([])
  })
})

describe('the QR code image', () => {
  beforeAll(loadScanner)

  test.each(['L', 'M', 'Q', 'H'])(
    'is readable by a scanner at error correction %s, at 512 and at 64 pixels',
    async (ecl) => {
      const code = await create(HERE)
      for (const size of [512, 64]) {
        const response = await acme.request(
          'GET',
          `/v1/qr-codes/${code.public_slug}/image?format=json&size=${size}&ecl=${ecl}`,
        )
        expect(response.body).toMatchObject({
          object: 'qr_code_image',
          qr_code_id: code.id,
          public_slug: code.public_slug,
          format: 'png',
          size,
          margin: 4,
          ecl,
          encoded_url: code.url,
        })
        const png = Buffer.from(response.body.data_url.split(',')[1], 'base64')
        expect(await readCode(png)).toEqual({ text: code.url, ecl })
      }
    },
  )

  test.each([
    ['', 'image/svg+xml'],
    ['*/*', 'image/svg+xml'],
    ['image/png', 'image/png'],
    ['application/pdf, image/png;q=0.5', 'application/pdf'],
    ['application/pdf;q=0.1, image/png', 'image/png'],
    ['application/json', 'application/json; charset=utf-8'],
    ['text/html', 'image/svg+xml'],
    ['image/png;q=nonsense', 'image/svg+xml'],
  ])('Accept: %s returns %s', async (accept, type) => {
    const { id } = await create()
    const { headers, status } = await acme.get(`/v1/qr-codes/${id}/image`, { accept })
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type })
    expect(headers.get('vary')).toBe('Accept')
  })

  test('has a header that warns of a code that leads to localhost', async () => {
    const code = await create()
    expect(new URL(code.url).hostname).toBe('localhost')
    const warning = `encodes ${new URL(code.url).origin}; set PUBLIC_URL before you print`
    for (const format of ['svg', 'png', 'pdf', 'json']) {
      const { headers } = await acme.get(`/v1/qr-codes/${code.id}/image?format=${format}`)
      expect(headers.get('x-waymark-warning'), format).toBe(warning)
    }
    const unchanged = await acme.get(`/v1/qr-codes/${code.id}/image`, { 'if-none-match': '*' })
    expect([unchanged.status, unchanged.headers.get('x-waymark-warning')]).toEqual([304, warning])
  })

  test('returns 304 for a matching If-None-Match, and 200 for other options', async () => {
    const { id } = await create()
    const path = `/v1/qr-codes/${id}/image`
    const etag = (await acme.get(path)).headers.get('etag')!
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await acme.get(path, { 'if-none-match': held })
      expect({ status: reply.status, text: reply.text, etag: reply.headers.get('etag') }).toEqual({
        status: 304,
        text: '',
        etag,
      })
    }
    for (const query of ['size=513', 'margin=5', 'ecl=H', 'dark=%23112233', 'light=%23eeeeee', 'format=png']) {
      expect((await acme.get(`${path}?${query}`, { 'if-none-match': etag })).status, query).toBe(200)
    }
  })

  test.each([
    'size=63',
    'size=2001',
    'margin=21',
    'margin=-1',
    'ecl=X',
    'dark=red',
    'dark=%23fff',
    'format=gif',
    'light=clear',
    'size_mm=4.9',
    'size_mm=30.55',
    'size_mm=200&format=png',
    'size_mm=5&dpi=72&format=json',
    'dpi=71',
    'caption=',
    'caption=%F0%9F%AA%91',
    `caption=${'x'.repeat(26)}`,
    'nonsense=1',
  ])('?%s returns 400', async (query) => {
    const { id } = await create()
    expect((await acme.get(`/v1/qr-codes/${id}/image?${query}`)).body.error).toBe('invalid_query')
  })
})

describe('a code that can be printed', () => {
  beforeAll(loadScanner)

  const imageOf = (id: string, query: Record<string, string>, tenant = acme) =>
    tenant.get(`/v1/qr-codes/${id}/image?${new URLSearchParams(query)}`)
  const pngOf = (image: { data_url: string }) => Buffer.from(image.data_url.split(',')[1]!, 'base64')

  test('is refused in colours that scanners do not read', async () => {
    const { id } = await create()
    const problemOf = async (dark: string, light: string) =>
      (await imageOf(id, { dark, light })).body?.details?.fieldErrors.dark[0]
    expect(await problemOf('#777777', '#ffffff')).toBeUndefined()
    expect(await problemOf('#999999', '#ffffff')).toMatch(/contrast of at least 3 : 1 .* has 2\.8 : 1/)
    expect(await problemOf('#999999', 'transparent')).toMatch(/contrast/)
    expect(await problemOf('#ffffff', '#000000')).toMatch(/darker than light/)
    expect((await imageOf(newId(), { dark: '#ffffff', light: '#000000' })).body.error).toBe('invalid_query')
  })

  test('has a file name, a size in millimetres and a caption', async () => {
    const code = await create({ name: 'Haustür „Süd“' })
    const pdf = await imageOf(code.id, { format: 'pdf', size_mm: '30' })
    expect(pdf.headers.get('content-disposition')).toContain(`inline; filename="haustur-sud-${code.public_slug}.pdf"`)
    expect(pdf.text).toContain('/MediaBox[0 0 85.039 85.039]')
    const json = (await imageOf(code.id, { format: 'json', size_mm: '30', dpi: '400', caption: ' Für  Gäste ' })).body
    expect(json).toMatchObject({ size: 472, text: 'Für Gäste' })
    expect(json.height).toBeGreaterThan(472)
    expect(await readCode(pngOf(json))).toEqual({ text: code.url, ecl: 'M' })
  })

  test('has a logo in the middle and stays readable', async () => {
    const code = await create()
    const drawing = sharp({ create: { width: 90, height: 40, channels: 3, background: '#0f766e' } })
    const upload = (tenant: Tenant, file: Buffer) =>
      tenant.post('/v1/assets', file, { 'content-type': 'application/octet-stream' })
    const { id: logo } = (await upload(acme, await drawing.png().toBuffer())).body
    const { body } = await imageOf(code.id, { format: 'json', logo, ecl: 'L' })
    expect(body.ecl).toBe('H')
    expect(await readCode(pngOf(body))).toEqual({ text: code.url, ecl: 'H' })
    const { data } = await sharp(pngOf(body))
      .extract({ left: 256, top: 256, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([...data]).toEqual([0x0f, 0x76, 0x6e])
    for (const format of ['svg', 'pdf', 'png']) expect((await imageOf(code.id, { format, logo })).status).toBe(200)

    const theirs = await create({}, other)
    const foreign = await imageOf(theirs.id, { logo }, other)
    expect([foreign.status, foreign.body.details]).toEqual([422, { field: 'logo', value: logo }])
    const pdf = (await upload(acme, Buffer.from('%PDF-1.4\n%%EOF\n'))).body
    expect((await imageOf(code.id, { logo: pdf.id })).body.message).toContain('Must be an image')
    const cut = (await upload(acme, (await drawing.png().toBuffer()).subarray(0, 60))).body
    expect((await imageOf(code.id, { logo: cut.id })).body.error).toBe('unprocessable')
    expect((await imageOf(code.id, { logo: 'nonsense' })).body.error).toBe('invalid_id')
  })
})

describe('scans of a code', () => {
  test('can be limited to a time range', async () => {
    const { id, public_slug } = await create(HERE)
    const moments: string[] = []
    for (let n = 0; n < 3; n++) {
      await scan(harness, `/${public_slug}`)
      moments.push((await acme.get(`/v1/qr-codes/${id}`)).body.last_scanned_at)
      harness.advance(60_000)
    }
    const between = async (query: Record<string, string>) => {
      const reply = await acme.get(`/v1/qr-codes/${id}/scans?${new URLSearchParams(query)}`)
      return reply.body.data.map(({ scanned_at }: any) => scanned_at)
    }
    const [first, second, third] = moments as [string, string, string]
    expect(await between({})).toEqual([third, second, first])
    expect(await between({ from: second })).toEqual([third, second])
    expect(await between({ to: second })).toEqual([first])
    expect(await between({ from: first, to: third })).toEqual([second, first])
    expect(await between({ from: third, to: first })).toEqual([])
    expect((await acme.get(`/v1/qr-codes/${id}/scans?from=yesterday`)).body.error).toBe('invalid_query')
    expect((await acme.get(`/v1/qr-codes/${id}/scans?to=2026-13-45T00:00:00Z`)).body.error).toBe('invalid_query')
  })
})
