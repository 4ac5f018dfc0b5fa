/** What is said about values that cannot be read, or that codes do not have. */
import { expect, test } from 'vitest'
import { readRecords } from './records.ts'
import { toSourceCodes } from './source-code.ts'
import { SOURCES, type SourceName } from './sources.ts'

const NOW = Date.UTC(2026, 0, 1)

const read = (source: SourceName, text: string) =>
  readRecords(text).flatMap((record) => toSourceCodes(record, SOURCES[source], NOW))

/** One row with these values, by the columns of `csv`. */
const readCells = (cells: Record<string, string>) => {
  const row = { slug: 'a', url: 'https://acme.com/', ...cells }
  return read('csv', `${Object.keys(row).join('\t')}\n${Object.values(row).join('\t')}\n`)[0]
}

test('a row that cannot be read says why, and what to do', () => {
  const text = 'short_url,url,password\n,https://acme.com/,\ngo.acme.com/a,,\ngo.acme.com/b,https://acme.com/,secret\n'
  expect(read('csv', text)).toMatchObject([
    { row: 2, problem: 'the row has no short link' },
    { row: 3, address: 'go.acme.com/a', problem: 'the row has no destination' },
    { row: 4, problem: expect.stringContaining('password') },
  ])
})

test.each([
  ['1280', 1280],
  ['1,280', 1280],
  ['1 280', 1280],
  ['1 280', 1280],
  ["1'280", 1280],
  ['1’280', 1280],
  ['1,234,567', 1234567],
  ['0', 0],
  ['', null],
  ['NULL', null],
])('%j clicks are %j', (scans, expected) => {
  expect(readCells({ scans })).toMatchObject({ scans: expected })
})

test.each(['1.280', '1.2k', 'abc', '1,28', '1,234 567', '-1', '12.5', '9'.repeat(17)])(
  'a row with %s clicks says that they cannot be read',
  (scans) => {
    expect(readCells({ scans })).toMatchObject({
      ...{ row: 2, address: 'a', problem: expect.stringContaining(scans) },
      advice: expect.stringContaining('1280'),
    })
  },
)

test.each([
  ['2025-02-03', '2025-02-03T00:00:00.000+00:00'],
  ['2025-02-03 04:05:06.789+00', '2025-02-03T04:05:06.789+00:00'],
  ['2031-01-01', '2026-01-01T00:00:00.000+00:00'],
  ['', null],
  ['\\N', null],
  ['0000-00-00 00:00:00', null],
])('the time of creation %j is %j', (created_at, createdAt) => {
  expect(readCells({ created_at })).toMatchObject({ createdAt })
})

test.each(['last spring', '03.02.2025', '2025-13-01', 'page 7'])(
  'a row that was created at %j says that the time cannot be read',
  (created_at) => {
    expect(readCells({ created_at })).toMatchObject({ row: 2, problem: expect.stringContaining(created_at) })
  },
)

test.each(['NULL', 'null', '\\N', ' NULL '])('%j in CSV is an empty value', (empty) => {
  const kutt = `address,target,description,password,visit_count\na,https://acme.com/,${empty},${empty},${empty}\n`
  expect(read('kutt', kutt)).toMatchObject([{ slug: 'a', name: null, scans: null }])
  const yourls = `keyword,url,title\na,https://acme.com/,${empty}\n`
  expect(read('yourls', yourls)).toMatchObject([{ slug: 'a', name: null }])
})

test.each([
  ['t', true],
  ['true', true],
  ['1', true],
  ['f', false],
  ['0', false],
  ['NULL', false],
])('a link of Kutt with %s under `banned` is stopped: %j', (banned, isStopped) => {
  const text = `address,target,banned,password\na,https://acme.com/,${banned},f\n`
  expect(read('kutt', text)).toMatchObject([{ isStopped }])
})

test('limits and rules of Shlink are noted', () => {
  const link = { shortCode: 'abc', shortUrl: 'https://go.acme.com/abc', longUrl: 'https://acme.com/' }
  const notesOf = (more: object) =>
    read('shlink', JSON.stringify({ shortUrls: { data: [{ ...link, ...more }] } })).flatMap((code) =>
      'notes' in code ? code.notes : [code.problem],
    )
  const meta = { validSince: '2026-03-01T00:00:00+00:00', validUntil: '2027-01-01T00:00:00+00:00', maxVisits: 10 }
  expect(notesOf({ meta, hasRedirectRules: true })).toEqual([
    expect.stringContaining('would expire'),
    expect.stringContaining('only from 2026-03-01'),
    expect.stringContaining('10 visits'),
    expect.stringContaining('redirects some visitors'),
  ])
  expect(notesOf({ meta: { validSince: null, validUntil: null, maxVisits: null }, hasRedirectRules: false })).toEqual(
    [],
  )
})
