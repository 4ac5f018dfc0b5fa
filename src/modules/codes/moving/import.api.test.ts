/** What a second export does to codes that are here, and what is said about a history that fits nothing. */
import { expect, test } from 'vitest'
import { operatorContext } from '../../../main/operator-context.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { codeDomains } from '../../domains/custom-domain-routes/index.ts'
import { readHistory } from './history.ts'
import { importForeignCodes } from './import.ts'
import type { SourceName } from './sources.ts'

const harness = useHarness()

let domains = 0

/** An organisation with a verified domain, and a way to import exports of it. */
async function setUp() {
  const tenant = await harness.createTenant()
  const host = `go-${++domains}.acme.com`
  const { body } = await tenant.post('/v1/custom-domains', { domain: host })
  await harness.verifyDomain(tenant, body.id)
  const destination = { domainId: body.id as string, host }
  const move = (source: SourceName, text: string, history = '[]') =>
    importForeignCodes(operatorContext(harness.service.database, tenant.orgId, harness.nowMs), {
      ...{ source, text, destination, destinations: new Map([[host, destination]]) },
      history: readHistory(history).history,
      domains: codeDomains(() => false),
      publicUrl: 'https://id.waymark.example',
      onImported: () => {},
    })
  return { tenant, host, move }
}

const codeOf = async (tenant: Tenant, slug: string) => (await tenant.get(`/v1/qr-codes/${slug}`)).body

test('a later export without counters keeps those of an earlier one', async () => {
  const { tenant, host, move } = await setUp()
  const csv = (a: string, more = '') =>
    `Bitlink,Long URL,Total Engagements\n${host}/a,https://acme.com/a,${a}\n${host}/spring,https://acme.com/a,7\n${more}`
  expect(await move('bitly', csv('"1,280"'))).toMatchObject({ created: 2, failed: 0 })
  await scan(harness, '/a', { host })

  // The API of Bitly does not count, and lists addresses of the same link together.
  const bitlink = {
    link: `https://${host}/a`,
    long_url: 'https://acme.com/a',
    custom_bitlinks: [`https://${host}/spring`],
  }
  const fresh = { link: `https://${host}/new`, long_url: 'https://acme.com/new' }
  const later = await move('bitly', JSON.stringify({ links: [bitlink, fresh] }))
  expect(later).toMatchObject({ created: 1, updated: 0, unchanged: 2, failed: 0 })
  expect(await codeOf(tenant, 'a')).toMatchObject({ total_scans: 1281, imported: { scans: 1280 } })
  expect(await codeOf(tenant, 'spring')).toMatchObject({ total_scans: 7, imported: { scans: 7 } })
  expect(await codeOf(tenant, 'new')).toMatchObject({ total_scans: 0, imported: { scans: 0 } })

  // An empty cell does not count either. A zero does.
  expect(await move('bitly', csv('', `${host}/new,https://acme.com/new,0\n`))).toMatchObject({ unchanged: 3 })
  expect(await codeOf(tenant, 'a')).toMatchObject({ total_scans: 1281 })
  expect(await move('bitly', csv('0'))).toMatchObject({ updated: 1, unchanged: 1 })
  expect(await codeOf(tenant, 'a')).toMatchObject({ total_scans: 1, imported: { scans: 0 } })
})

test('a request with `imported` but without scans keeps the counter', async () => {
  const { tenant } = await setUp()
  const imported = { scans: 12, from: 'bitly' }
  const { body } = await tenant.post('/v1/qr-codes', { external_id: 'sign', imported })
  const later = await tenant.post('/v1/qr-codes', { external_id: 'sign', imported: { from: 'dub' } })
  expect(later).toMatchObject({ status: 200, body: { total_scans: 12, imported: { scans: 12, from: 'dub' } } })
  expect(await codeOf(tenant, body.id)).toEqual(later.body)
})

test('a row whose counter or time cannot be read is left out, and changes nothing', async () => {
  const { tenant, move } = await setUp()
  const row = (scans: string, time: string) => `slug,url,scans,created_at\na,https://acme.com/,${scans},${time}\n`
  await move('csv', row('5', '2025-02-03'))
  const refused = await move('csv', row('1.280', '2025-02-03'))
  expect(refused).toMatchObject({ updated: 0, unchanged: 0, failed: 1, problems: [{ row: 2, address: 'a' }] })
  expect(refused.problems[0]?.problem).toContain('1.280')
  expect((await move('csv', row('6', 'last spring'))).problems[0]?.problem).toContain('last spring')
  expect(await codeOf(tenant, 'a')).toMatchObject({ total_scans: 5, imported: { scans: 5 } })
})

test('a history finds its codes by address and by slug, and what it does not find is reported by row', async () => {
  const { host, move } = await setUp()
  const links = 'keyword,url\n7f,https://acme.com/7f\n8g,https://acme.com/8g\nprivate!,https://acme.com/\n'
  const history = [
    'id,slug,domain,date,clicks',
    `1,7f,${host},2025-02-03,4`,
    '2,8g,,2025-02-03,2',
    '3,gone,,2025-02-03,9',
    '4,gone,,2025-02-04,9',
    '5,private!,,2025-02-03,1',
    '6,7f,go.other.example,2025-02-03,1',
  ].join('\n')
  const summary = await move('yourls', links, history)
  expect(summary).toMatchObject({ created: 2, with_history: 2, failed: 1 })
  expect(summary.notes).toEqual([
    { row: 4, address: 'gone', note: expect.stringContaining('history') },
    { row: 7, address: 'go.other.example/7f', note: expect.stringContaining('history') },
  ])
})
