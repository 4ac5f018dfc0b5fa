/** A company moves its domain with all printed codes from another service to this one. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { scan } from '../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'
import { DnsZone } from '../../testing/world/dns-zone.ts'

/** The story has 2,000 codes. One engine scans all of them, because that takes half a minute on a busy machine. */
const CODES = inject('engine') === 'sqlite' ? 2000 : 200
const HOST = 'go.acme.com'
const OLD = 'https://acme.old-links.example/'

/** What a domain of ours has something below, or what our own host has for itself. As slugs, they are only words. */
const WORDS = ['253', '414', 'c', 'p', 'docs', '01']
const FIRST_WORD = 22

const zone = await DnsZone.start()
afterAll(() => zone.close())
const harness = useHarness({
  config: {
    appUrl: 'https://app.waymark.example',
    publicUrl: 'https://go.waymark.example',
    acceptsAnyHost: false,
    outbound: { ports: [443], devAllow: [], dnsServers: [zone.address] },
  },
})
afterAll(killProcesses)

let acme: Tenant
let domain: { id: string; verification_records: { type: string; domain: string; value: string }[] }
beforeAll(async () => {
  acme = await harness.createTenant()
  domain = (await acme.post('/v1/custom-domains', { domain: HOST })).body
})

const slugOf = (n: number) =>
  WORDS[n - FIRST_WORD] ?? (n % 10 === 0 ? `summer/sale-${n}` : n % 10 === 1 ? String(n) : `Label_${n}`)
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
const verify = async () => (await acme.post(`/v1/custom-domains/${domain.id}/verify`)).body.status

/** Scans every code once. Returns those that do not lead where they led before. */
async function scanAll(): Promise<unknown[]> {
  const dead: unknown[] = []
  for (let from = 0; from < CODES; from += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const reply = await open(`/${slugOf(from + n)}`)
        if (reply.status !== 302 || reply.location !== targetOf(from + n)) dead.push([slugOf(from + n), reply])
      }),
    )
  }
  return dead
}

/** The counters of all codes, added up. */
async function countScans(): Promise<number> {
  let sum = 0
  for (let page = 1; ; page++) {
    const { data } = (await acme.get(`/v1/qr-codes?page=${page}&page_size=100`)).body
    for (const { total_scans } of data) sum += total_scans
    if (data.length < 100) return sum
  }
}

async function countRows(): Promise<number> {
  const rows = harness.service.database.read.selectFrom('scans').where('org_id', '=', acme.orgId)
  const { count } = await rows.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

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

  // The company proves that the domain is theirs. It still leads to the old service.
  zone.prove(domain.verification_records)
  zone.set(HOST, 'CNAME', 'acme.old-links.example')
  await acme.patch(`/v1/custom-domains/${domain.id}`, { fallback_url: OLD })
  expect(await verify()).toBe('pending')

  // First, everything is checked, and nothing happens.
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

  // The codes wait for their domain, which cannot be disconnected any more.
  const moved = await waymark(text, '--domain', HOST)
  expect(moved).toMatchObject({
    code: 1,
    json: { created: CODES, updated: 0, unchanged: 0, failed: 5, waits_for: HOST },
  })
  expect(await total()).toBe(CODES)
  const { body: code } = await acme.get('/v1/qr-codes/summer%2Fsale-20')
  expect(code).toMatchObject({
    ...{
      external_id: `${HOST}/summer/sale-20`,
      url: `https://${HOST}/summer/sale-20`,
      domain_id: domain.id,
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

  expect((await open('/summer/sale-20')).status).toBe(404)
  expect((await acme.delete(`/v1/custom-domains/${domain.id}`)).status).toBe(409)

  // The domain now leads here, and no code is missing for a moment.
  zone.prove(domain.verification_records)
  expect(await verify()).toBe('verified')
  expect(await scanAll()).toEqual([])
  const counted = Array.from({ length: CODES }, (_, n) => clicks(n)).reduce((sum, one) => sum + one)
  expect(await countScans()).toBe(counted + CODES)
  expect(await countRows()).toBe(CODES)
  const scansOf = async (n: number) =>
    (await acme.get(`/v1/qr-codes/${encodeURIComponent(slugOf(n))}`)).body.total_scans
  expect(await Promise.all([0, 1, 20, CODES - 1].map(scansOf))).toEqual([0, 1, 20, CODES - 1].map((n) => clicks(n) + 1))
  // What cannot be moved still works, by the old service. Nobody gets a page of ours instead.
  for (const path of ['menu.pdf?x=1', 'p/page', 'not-moved-yet?utm=x', '01/1'])
    expect(await open(`/${path}`)).toEqual({ status: 302, location: OLD + path })
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

test('a domain that is not verified gets codes only if it is named, and they lead nobody else anywhere', async () => {
  const [first, other] = [await harness.createTenant(), await harness.createTenant()]
  const host = 'waiting.acme.com'
  const { body: waiting } = await first.post('/v1/custom-domains', { domain: host })
  const file = join(harness.folder, 'waiting.csv')
  await writeFile(file, `short_url,url\nhttps://${host}/sale,https://acme.com/sale\n`)
  const move = (...args: string[]) =>
    runCommand(['import', 'csv', file, '--org', first.slug, ...args], settingsFor(harness))
  expect(await move()).toMatchObject({ code: 1, stdout: expect.stringContaining(`nothing is moved from ${host}`) })
  expect((await move('--domain', 'unknown.acme.com')).stderr).toContain('Connect it first')
  const moved = await move('--domain', host.toUpperCase())
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created') })
  expect(moved.stdout).toContain(`${host} is not verified yet. Its codes will work as soon as it is.`)

  const scanned = async () => {
    const { status, headers } = await scan(harness, '/sale', { host })
    return [status, headers.get('location')]
  }
  const { body: theirs } = await other.post('/v1/custom-domains', { domain: host })
  await harness.verifyDomain(other, theirs.id)
  expect(await scanned()).toEqual([404, null])
  await harness.verifyDomain(other, theirs.id, false)
  await harness.verifyDomain(first, waiting.id)
  expect(await scanned()).toEqual([302, 'https://acme.com/sale'])
  expect((await move('--domain', host)).stdout).not.toContain('not verified')
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
