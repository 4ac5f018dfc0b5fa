/** A company moves its domain with all printed codes from another service to this one. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { scan } from '../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'

/** The story has 2,000 codes. One engine scans all of them, because that takes half a minute on a busy machine. */
const CODES = inject('engine') === 'sqlite' ? 2000 : 200
const HOST = 'go.acme.com'
const OLD = 'https://acme.old-links.example/'

const harness = useHarness()
afterAll(killProcesses)

let acme: Tenant
let domainId: string
beforeAll(async () => {
  acme = await harness.createTenant()
  const { body } = await acme.post('/v1/custom-domains', { domain: HOST })
  domainId = body.id
})

const slugOf = (n: number) => (n % 10 === 0 ? `summer/sale-${n}` : n % 10 === 1 ? String(n) : `Label_${n}`)
const targetOf = (n: number) => `https://acme.com/products/${n}?ref=label`

/** The export of links of Dub, with the default columns and the tags. */
const dubExport = (clicks: (n: number) => number, more: string[] = []): string =>
  [
    'Short link,Destination URL,Clicks,Created at,Tags,Archived',
    ...Array.from({ length: CODES }, (_, n) =>
      [
        `https://${HOST}/${slugOf(n)}`,
        targetOf(n),
        clicks(n),
        '2024-03-05T08:00:00.000Z',
        n % 2 === 0 ? '"[""labels"",""spring, 2024""]"' : '[]',
        n === 7,
      ].join(),
    ),
    ...more,
  ].join('\r\n')

async function waymark(text: string, ...args: string[]) {
  const file = join(harness.folder, 'links.csv')
  await writeFile(file, text)
  return runCommand(['import', 'dub', file, '--org', acme.slug, '--json', ...args], settingsFor(harness))
}

const open = async (path: string) => {
  const { status, headers } = await scan(harness, path, { host: HOST })
  return { status, location: headers.get('location') }
}

const total = async () => (await acme.get('/v1/qr-codes?page_size=1')).body.total

test(`${CODES} printed codes are moved with their domain: all of them lead where they led, and are counted on`, async () => {
  const clicks = (n: number) => n * 3
  const refused = [
    `https://${HOST}/p/page,https://acme.com/,1,,,`,
    `https://${HOST}/menu.pdf,https://acme.com/,1,,,`,
    `https://${HOST}/mail,mailto:hello@acme.com,1,,,`,
    `https://${HOST}/1,https://acme.com/,1,,,`,
    'https://dub.sh/acme,https://acme.com/,1,,,',
  ]
  const text = dubExport(clicks, refused)

  // Before the domain is moved: everything is checked, and nothing happens.
  const checked = await waymark(text, '--domain', HOST, '--dry-run')
  expect(checked).toMatchObject({ code: 1, json: { dry_run: true, rows: CODES + 5, created: CODES, failed: 5 } })
  const problems: { row: number; address: string; problem: string; advice: string }[] = checked.json.problems
  expect(problems.map(({ row, address, problem }) => [row, address, problem])).toEqual([
    [CODES + 2, `${HOST}/p/page`, expect.stringContaining('part of our own addresses')],
    [CODES + 3, `${HOST}/menu.pdf`, expect.stringContaining('letters, digits')],
    [CODES + 4, `${HOST}/mail`, expect.stringContaining('mailto:hello@acme.com')],
    [CODES + 5, `${HOST}/1`, 'row 3 has the same address'],
    [CODES + 6, 'dub.sh/acme', 'nothing is moved from dub.sh'],
  ])
  expect(problems.filter(({ advice }) => advice === '')).toEqual([])
  expect(await total()).toBe(0)
  const early = await waymark(text, '--domain', HOST)
  expect(early.code).toBe(1)
  expect(early.json.error.message).toContain('not verified yet')

  // The domain now leads here. The old service still answers what is not moved yet.
  await harness.verifyDomain(acme, domainId)
  await acme.patch(`/v1/custom-domains/${domainId}`, { fallback_url: OLD })
  expect(await open('/summer/sale-0?utm=x')).toEqual({ status: 302, location: `${OLD}summer/sale-0?utm=x` })

  const moved = await waymark(text, '--domain', HOST)
  expect(moved).toMatchObject({ code: 1, json: { created: CODES, updated: 0, unchanged: 0, failed: 5 } })
  expect(await total()).toBe(CODES)
  const { body: code } = await acme.get('/v1/qr-codes/summer%2Fsale-20')
  expect(code).toMatchObject({
    ...{
      external_id: `${HOST}/summer/sale-20`,
      url: expect.stringMatching(/^http:..go\.acme\.com(:\d+)?.summer.sale-20$/),
      domain_id: domainId,
    },
    ...{ status: 'active', total_scans: 60, created_at: '2024-03-05T08:00:00.000+00:00' },
    imported: { scans: 60, from: 'dub', created_at: '2024-03-05T08:00:00.000+00:00' },
  })
  const propertiesOf = async (slug: string) =>
    (await acme.get(`/v1/qr-codes/${slug}/properties`)).body.data.map((one: { key: string; value: string }) => [
      one.key,
      one.value,
    ])
  expect(await propertiesOf('summer%2Fsale-20')).toEqual([['tags', 'labels, spring, 2024']])
  // What is archived there is only hidden, and what is printed still works.
  expect(await propertiesOf('Label_7')).toEqual([['archived', 'true']])

  // A negative answer is kept for a moment, and on SQLite another process cannot tell the service that it is outdated.
  harness.advance(10_000)
  const dead: unknown[] = []
  for (let from = 0; from < CODES; from += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const reply = await open(`/${slugOf(from + n)}`)
        if (reply.status !== 302 || reply.location !== targetOf(from + n)) dead.push([slugOf(from + n), reply])
      }),
    )
  }
  expect(dead).toEqual([])
  const scansOf = async (n: number) =>
    (await acme.get(`/v1/qr-codes/${encodeURIComponent(slugOf(n))}`)).body.total_scans
  expect(await Promise.all([0, 1, 20, CODES - 1].map(scansOf))).toEqual([0, 1, 20, CODES - 1].map((n) => clicks(n) + 1))
  // What cannot be moved still works, by the old service. Nobody gets a page of ours instead.
  expect(await open('/menu.pdf?x=1')).toEqual({ status: 302, location: `${OLD}menu.pdf?x=1` })
  expect((await open('/.well-known/acme-challenge/x')).status).toBe(404)

  // A second run changes nothing, and a later export brings the counters up to date, without touching anything else.
  expect((await waymark(text, '--domain', HOST)).json).toMatchObject({ created: 0, updated: 0, unchanged: CODES })
  await acme.patch('/v1/qr-codes/Label_2', { destination: { url: 'https://acme.com/new' }, name: 'Ours now' })
  const later = await waymark(
    dubExport((n) => (n < 3 ? clicks(n) + 5 : clicks(n))),
    '--domain',
    HOST,
  )
  expect(later).toMatchObject({ code: 0, json: { created: 0, updated: 3, unchanged: CODES - 3, failed: 0 } })
  expect(await scansOf(2)).toBe(clicks(2) + 5 + 1)
  expect((await acme.get('/v1/qr-codes/Label_2')).body).toMatchObject({ name: 'Ours now' })
  expect(await open('/Label_2')).toMatchObject({ location: 'https://acme.com/new' })
})

test('a history of days is kept beside the counters, and replaced by a later one', async () => {
  const [links, clicks] = [join(harness.folder, 'yourls_url.csv'), join(harness.folder, 'yourls_log.csv')]
  await writeFile(
    links,
    'keyword;url;title;timestamp;ip;clicks\n7f;https://acme.com/7f;"A ""sign""";2023-01-02 03:04:05;;3\n',
  )
  const log = (...days: string[]) =>
    writeFile(
      clicks,
      `click_id,click_time,shorturl,referrer\n${days.map((day, n) => `${n},${day},7f,direct`).join('\n')}\n`,
    )
  const move = () =>
    runCommand(
      ['import', 'yourls', links, '--history', clicks, '--org', acme.slug, '--domain', HOST, '--json'],
      settingsFor(harness),
    )
  const days = () =>
    harness.service.database.read
      .selectFrom('imported_scan_days')
      .select(['day', 'scans'])
      .where('org_id', '=', acme.orgId)
      .orderBy('day')
      .execute()
  await log('2023-01-02 10:00:00', '2023-01-02 23:59:59', '2023-01-03 00:00:00')
  expect(await move()).toMatchObject({ code: 0, json: { created: 1, with_history: 1 } })
  expect(await days()).toEqual([
    { day: '2023-01-02', scans: 2 },
    { day: '2023-01-03', scans: 1 },
  ])
  await log('2023-01-02 10:00:00')
  expect(await move()).toMatchObject({ code: 0, json: { unchanged: 1 } })
  expect(await days()).toEqual([{ day: '2023-01-02', scans: 1 }])
  expect((await acme.get('/v1/qr-codes/7f')).body).toMatchObject({ total_scans: 3, name: 'A "sign"' })
})
