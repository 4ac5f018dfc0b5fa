/** Addresses are returned in the format that the API declares, in which programs can check them. */
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { up } from '../../../../migrations/0061_addresses_are_uris.ts'
import { columnTypes } from '../../../platform/db/column-types.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const SAMPLES = [
  ['https://acme.com/دليل', 'https://acme.com/%D8%AF%D9%84%D9%8A%D9%84'],
  ['https://müller.example/küche?größe=1#maß', 'https://xn--mller-kva.example/k%C3%BCche?gr%C3%B6%C3%9Fe=1#ma%C3%9F'],
  ['https://例え.jp', 'https://xn--r8jz45g.jp/'],
  ['https://acme.com/?ids[]=1|2', 'https://acme.com/?ids%5B%5D=1%7C2'],
  ['https://acme.com/100%', 'https://acme.com/100%25'],
  ['HTTPS://ACME.com', 'HTTPS://ACME.com'],
] as const

const KINDS = [
  ['/v1/qr-codes', { external_id: 'a' }],
  ['/v1/qr-groups', { external_id: 'a', name: 'A' }],
  ['/v1/objects', { external_id: 'a', type: 'chair' }],
  ['/v1/products', { gtin: '9506000134352', name: 'A' }],
] as const

test.each(KINDS)(
  '%s returns addresses as URIs, and sending one as it was typed changes nothing',
  async (path, fields) => {
    const acme = await harness.createTenant()
    const { id } = (await acme.post(path, fields)).body
    for (const [typed, uri] of SAMPLES) {
      const changed = await acme.patch(`${path}/${id}`, { destination: { url: typed } })
      expect(changed.body.destination.url).toBe(uri)
      for (const url of [typed, uri]) {
        expect((await acme.patch(`${path}/${id}`, { destination: { url } })).body).toEqual(changed.body)
      }
      expect((await acme.get(`${path}/${id}`)).body).toEqual(changed.body)
    }
    const long = `https://acme.com/${'ü'.repeat(400)}`
    expect(await acme.patch(`${path}/${id}`, { destination: { url: long } })).toMatchObject({
      status: 400,
      body: { error: 'invalid_payload' },
    })
  },
)

test('addresses from before become URIs, and codes in print lead where they did', async () => {
  const acme = await harness.createTenant()
  const codes: { typed: string; uri: string; id: string; path: string }[] = []
  for (const [typed, uri] of SAMPLES) {
    const { body } = await acme.post('/v1/qr-codes', { destination: { url: 'https://acme.com/' } })
    codes.push({ typed, uri, id: body.id as string, path: new URL(body.url).pathname })
  }
  await harness.service.database.write(async (tx) => {
    for (const { typed, id } of codes)
      await sql`update qr_codes set destination_url = ${typed} where org_id = ${acme.orgId} and id = ${id}`.execute(tx)
  })
  for (let run = 0; run < 2; run++) {
    const opened = await openDatabase(harness.location)
    const { kysely, engine } = opened
    await up(kysely as unknown as Kysely<unknown>, columnTypes[engine], engine).finally(() => opened.close())
    for (const { uri, id } of codes) {
      expect((await acme.get(`/v1/qr-codes/${id}`)).body.destination.url).toBe(uri)
    }
  }
  const [first] = codes
  expect((await scan(harness, first?.path ?? '')).status).toBe(302)
})
