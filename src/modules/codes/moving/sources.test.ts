/** What the exports of other services mean. The samples are written in their formats. */
import { expect, test } from 'vitest'
import { parseCsv } from './csv.ts'
import { readRecords } from './records.ts'
import { toSourceCodes } from './source-code.ts'
import { SOURCES, type SourceName } from './sources.ts'

const NOW = Date.UTC(2026, 0, 1)
const CREATED = '2025-02-03T04:05:06.000+00:00'

const read = (source: SourceName, text: string) =>
  readRecords(text).flatMap((record) => toSourceCodes(record, SOURCES[source], NOW))

const json = (document: unknown) => JSON.stringify(document)

const BITLINK = {
  created_at: '2025-02-03T04:05:06+0000',
  id: 'go.acme.com/3xYz',
  link: 'https://go.acme.com/3xYz',
  custom_bitlinks: ['https://go.acme.com/spring'],
  long_url: 'https://acme.com/spring',
  title: 'Spring',
  archived: true,
  tags: ['poster', 'berlin'],
  deeplinks: [],
}

test.each<[SourceName, string, string, object[]]>([
  [
    'bitly',
    'the API, in several pages',
    json([
      { pagination: {}, links: [BITLINK] },
      { links: [{ ...BITLINK, link: 'go.acme.com/2', custom_bitlinks: [] }] },
    ]),
    [
      { row: 1, host: 'go.acme.com', slug: '3xYz', name: 'Spring', tags: ['poster', 'berlin'], isArchived: true },
      { row: 1, host: 'go.acme.com', slug: 'spring', createdAt: CREATED, scans: null },
      { row: 2, host: 'go.acme.com', slug: '2' },
    ],
  ],
  [
    'bitly',
    'an export of links',
    'Bitlink,Long URL,Title,Tags,Date Created,Total Engagements\ngo.acme.com/a,https://acme.com/a,,"x, y",2025-02-03 04:05:06,"1,280"\n',
    [
      {
        row: 2,
        slug: 'a',
        target: 'https://acme.com/a',
        name: null,
        tags: ['x', 'y'],
        createdAt: CREATED,
        scans: 1280,
      },
    ],
  ],
  [
    'dub',
    'the API',
    json([
      {
        ...{
          id: 'link_1',
          domain: 'go.acme.com',
          key: 'a/b',
          url: 'https://acme.com/a',
          shortLink: 'https://go.acme.com/a/b',
        },
        ...{ tags: [{ id: 't', name: 'poster', color: 'red' }], clicks: 5, createdAt: '2025-02-03T04:05:06.000Z' },
        ...{
          expiresAt: '2025-06-01T00:00:00.000Z',
          password: null,
          archived: false,
          comments: 'Front door',
          title: 'Acme',
        },
      },
    ]),
    [
      {
        slug: 'a/b',
        name: 'Front door',
        tags: ['poster'],
        scans: 5,
        isStopped: true,
        notes: [expect.stringContaining('expired')],
      },
    ],
  ],
  [
    'shlink',
    'the web client',
    '"createdAt","title","shortUrl","domain","shortCode","longUrl","tags","visits"\n"2025-02-03T04:05:06+00:00","Spring","https://go.acme.com/abc","go.acme.com","abc","https://acme.com/","poster|berlin",12\n',
    [{ host: 'go.acme.com', slug: 'abc', name: 'Spring', tags: ['poster', 'berlin'], scans: 12, createdAt: CREATED }],
  ],
  [
    'shlink',
    'the API, whose visits of people are counted',
    json({
      shortUrls: {
        data: [
          {
            ...{ shortCode: 'abc', shortUrl: 'https://go.acme.com/abc', longUrl: 'https://acme.com/', domain: null },
            ...{ dateCreated: '2025-02-03T04:05:06+00:00', visitsSummary: { total: 9, nonBots: 7, bots: 2 }, tags: [] },
            meta: { validSince: null, validUntil: '2027-01-01T00:00:00+00:00', maxVisits: null },
          },
        ],
        pagination: { currentPage: 1 },
      },
    }),
    [{ slug: 'abc', scans: 7, isStopped: false, notes: [expect.stringContaining('would expire')] }],
  ],
  [
    'kutt',
    'the API',
    json({
      ...{ limit: 10, skip: 0, total: 1 },
      data: [
        {
          ...{ address: 'abc', link: 'https://go.acme.com/abc', domain: 'go.acme.com', target: 'https://acme.com/' },
          ...{
            description: 'Front door',
            visit_count: 4,
            created_at: '2025-02-03T04:05:06.000Z',
            banned: true,
            password: false,
          },
        },
      ],
    }),
    [{ host: 'go.acme.com', slug: 'abc', name: 'Front door', scans: 4, isStopped: true }],
  ],
  [
    'yourls',
    'the API',
    json({
      links: {
        link_1: {
          shorturl: 'https://go.acme.com/1',
          url: 'https://acme.com/',
          title: 'A',
          timestamp: '2025-02-03 04:05:06',
          clicks: '8',
        },
      },
      stats: { total_links: '1', total_clicks: '8' },
    }),
    [{ host: 'go.acme.com', slug: '1', name: 'A', scans: 8, createdAt: CREATED }],
  ],
  [
    'yourls',
    'its table',
    '\uFEFF"keyword";"url";"title";"timestamp";"ip";"clicks"\n"1";"https://acme.com/?a=1;2";"A";"2025-02-03 04:05:06";"";"8"\n',
    [{ host: null, slug: '1', target: 'https://acme.com/?a=1;2', scans: 8 }],
  ],
  [
    'csv',
    'any other service',
    'Slug\tURL\tName\tDescription\tTags\tScans\tCreated at\n/summer/sale/\thttps://acme.com/\tSale\tDoor\ta|b\t3\t2025-02-03T04:05:06Z\n',
    [
      {
        host: null,
        slug: 'summer/sale',
        name: 'Sale',
        description: 'Door',
        tags: ['a', 'b'],
        scans: 3,
        createdAt: CREATED,
      },
    ],
  ],
])('reads %s: %s', (source, _what, text, codes) => {
  expect(read(source, text)).toEqual(codes.map((code) => expect.objectContaining(code)))
})

test('CSV has quotes, line breaks in values, and other delimiters', () => {
  expect(parseCsv('a,"b ""c""","d\ne"\r\n\r\nf,,"unfinished')).toEqual([
    { line: 1, values: ['a', 'b "c"', 'd\ne'] },
    { line: 4, values: ['f', '', 'unfinished'] },
  ])
})

test.each(['', '{"data": 1}', '{', '{"nothing": []}'])('a file with %s is refused with a message', (text) => {
  expect(() => readRecords(text)).toThrow(/file/)
})
