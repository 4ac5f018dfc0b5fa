import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { newId } from '../../../../platform/ids/index.ts'
import { createForm, receive } from '../../../../testing/data/submissions.ts'
import { insertTestRows } from '../../../../testing/engines/insert-test-rows.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'

const harness = useHarness()

const download = async (tenant: Tenant, path: string) => {
  const response = await fetch(`${harness.baseUrl}${path}`, { headers: { authorization: `Bearer ${tenant.apiKey}` } })
  expect(response.status).toBe(200)
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Reads a CSV file as RFC 4180 says. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '') break
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

/** The files in an archive, found by its central directory, as other programs do. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const files = new Map<string, string>()
  for (let n = 0; n < count; n++) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const [method, compressed, size] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 24),
    ]
    const [name, extra, comment] = [
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
    ]
    const local = archive.readUInt32LE(at + 42)
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const stored = archive.subarray(from, from + compressed)
    const content = method === 8 ? inflateRawSync(stored) : stored
    expect(content.length).toBe(size)
    files.set(archive.toString('utf8', at + 46, at + 46 + name), content.toString())
    at += 46 + name + extra + comment
  }
  return files
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#13': '\r' }

function parseSheet(archive: Buffer): (string | number)[][] {
  const sheet = unzip(archive).get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet).not.toContain('<f>')
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [
      ...row.matchAll(
        /<c\/>|<c><v>(.*?)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>/gs,
      ),
    ].map(([, number, text = '']) =>
      number === undefined
        ? text.replace(/&(amp|lt|gt|#13);/g, (_, name: string) => ENTITIES[name] ?? '')
        : Number(number),
    ),
  )
}

const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '=cmd|"/c calc"!A1',
  '<b>&amp;</b>',
  'a "quoted", text\nwith lines',
  'שלום 🛢️',
]

test('an export of a page has a column for each field, and runs no formula', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  for (const what of HOSTILE)
    await receive(harness, acme, page.id, { what, floor: '-2' }, { metadata: { utm_source: '=1' } })
  const csv = await download(acme, `/v1/submissions/export.csv?page_id=${page.id}`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="submissions-[\d-]{10}\.csv"/)
  expect(csv.headers.get('content-security-policy')).toContain('sandbox')
  expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [headings = [], ...rows] = parseCsv(csv.bytes.toString().slice(1))
  expect(headings.slice(-5)).toEqual(['What happened?', 'Your email', 'Floor', 'Photo', 'other_answers'])
  const column = headings.indexOf('What happened?')
  const written = HOSTILE.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text))
  expect(rows.map((row) => row[column]).sort()).toEqual(written.sort())
  expect(rows.map((row) => row[headings.indexOf('Floor')])).toEqual(rows.map(() => '-2'))
  expect(rows.map((row) => row[0]).sort()).toEqual(rows.map((_, n) => String(n + 1)))

  const xlsx = await download(acme, `/v1/submissions/export.xlsx?page_id=${page.id}`)
  const [again = [], ...sheet] = parseSheet(xlsx.bytes)
  expect(again).toEqual(headings)
  expect(sheet.map((row) => row[column]).sort()).toEqual(HOSTILE.toSorted())
  expect(sheet.map((row) => row[headings.indexOf('Floor')])).toEqual(rows.map(() => -2))
  expect([...unzip(xlsx.bytes).keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
})

test('an export of all pages has the answers as JSON, and filters apply', async () => {
  const acme = await harness.createTenant()
  const [one, other] = [await createForm(acme), await createForm(acme)]
  await receive(harness, acme, one.id, { what: 'Leak' })
  const { id } = await receive(harness, acme, other.id, { what: 'Noise' })
  await acme.patch(`/v1/submissions/${id}`, { status: 'read' })
  const [headings = [], ...rows] = parseCsv(
    (await download(acme, '/v1/submissions/export.csv')).bytes.toString().slice(1),
  )
  expect(headings.at(-1)).toBe('data')
  expect(rows).toHaveLength(2)
  const read = parseCsv((await download(acme, '/v1/submissions/export.csv?status=read')).bytes.toString().slice(1))
  expect(read).toHaveLength(2)
  expect(Object.values(JSON.parse(read[1]?.at(-1) ?? '')).map((answer: any) => answer.value)).toContain('Noise')
})

test('an export names what was scanned, has its properties if asked for, and has the replies', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const thing = { type: 'machine', name: '=Acme One, kitchen', external_id: 'acme-one-7' }
  const object = (await acme.post('/v1/objects', { ...thing, properties: [{ key: 'floor', value: '2' }] })).body
  const { id } = await receive(harness, acme, page.id, {}, { scanned: { kind: 'object', id: object.id } })
  for (const text of ['Ordered.', 'Fitted.']) await acme.post(`/v1/submissions/${id}/replies`, { text })
  await receive(harness, acme, page.id)
  const query = `page_id=${page.id}&include=scanned.properties`
  const csv = await download(acme, `/v1/submissions/export.csv?${query}`)
  const [headings = [], other = [], row = []] = parseCsv(csv.bytes.toString().slice(1))
  const cell = (name: string, of = row) => of[headings.indexOf(name)]
  expect([cell('scanned_external_id'), cell('scanned_name')]).toEqual(['acme-one-7', "'=Acme One, kitchen"])
  expect(JSON.parse(cell('scanned_properties') ?? '')).toEqual({ floor: '2' })
  expect(JSON.parse(cell('replies') ?? '')).toMatchObject([{ text: 'Ordered.' }, { text: 'Fitted.' }])
  expect([cell('scanned_name', other), cell('replies', other)]).toEqual(['', ''])
  const xlsx = await download(acme, `/v1/submissions/export.xlsx?${query}`)
  const [again = [], , sheet = []] = parseSheet(xlsx.bytes)
  expect(again).toEqual(headings)
  expect(sheet[headings.indexOf('scanned_name')]).toBe('=Acme One, kitchen')
  const without = await download(acme, '/v1/submissions/export.csv')
  expect(without.bytes.toString()).not.toContain('scanned_properties')
})

test('answers to fields that the page has no more are kept in the last column', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  await receive(harness, acme, page.id, { what: 'Leak' })
  await acme.put(`/v1/pages/${page.id}/blocks`, { blocks: [] })
  const path = `/v1/submissions/export.csv?page_id=${page.id}`
  const [headings, row] = parseCsv((await download(acme, path)).bytes.toString().slice(1))
  expect(headings?.at(-1)).toBe('other_answers')
  expect(row?.at(-1)).toContain('Leak')
})

test('more submissions than are read at once are exported, each once', async () => {
  const count = 1200
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  const { id } = await receive(harness, acme, page.id, { what: 'x'.repeat(500) })
  await harness.service.database.write(async (tx) => {
    const rows = tx.selectFrom('submissions').selectAll().where('org_id', '=', acme.orgId)
    const row = await rows.where('id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: count - 1 }, (_, n) => ({ ...row, id: newId(), number: n + 2 }))
    await insertTestRows(tx, 'submissions', copies)
  })
  const expected = Array.from({ length: count }, (_, n) => n + 1)
  const [, ...rows] = parseCsv((await download(acme, '/v1/submissions/export.csv')).bytes.toString().slice(1))
  expect(rows.map((row) => Number(row[0])).sort((a, b) => a - b)).toEqual(expected)
  const [, ...sheet] = parseSheet((await download(acme, '/v1/submissions/export.xlsx')).bytes)
  expect(sheet.map((row) => Number(row[0])).sort((a, b) => a - b)).toEqual(expected)
})

test('a client that leaves in the middle does not keep its place, and HEAD sends no file', async () => {
  const acme = await harness.createTenant()
  const page = await createForm(acme)
  await receive(harness, acme, page.id)
  for (let n = 0; n < 10; n++) {
    const left = new AbortController()
    const headers = { authorization: `Bearer ${acme.apiKey}` }
    const response = await fetch(`${harness.baseUrl}/v1/submissions/export.csv`, { headers, signal: left.signal })
    expect(response.status).toBe(200)
    left.abort()
  }
  const head = await acme.request('HEAD', '/v1/submissions/export.xlsx')
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
  await expect.poll(async () => (await acme.get('/v1/submissions/export.csv')).status).toBe(200)
})
