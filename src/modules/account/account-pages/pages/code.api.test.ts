import { expect, test } from 'vitest'
import { scan } from '../../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { testOnce } from '../../../../testing/test-once.ts'
import { Visitor } from '../../../../testing/visitor.ts'

const harness = useHarness({ config: { publicUrl: 'https://go.acme.com' } })
const APP = 'http://localhost:8080'

function signedIn({ token }: { token: string }): Visitor {
  const visitor = new Visitor(harness.baseUrl)
  visitor.cookies.set('waymark_session', token)
  return visitor
}

/** Where the button on the page of a code leads. */
const setUpLinksOf = (text: string) =>
  [...text.matchAll(/<a class="button outlined" href="([^"]+)"/g)].map(([, to]) => to)

const createEach = async (acme: Tenant) => [
  { path: `/${(await acme.post('/v1/qr-codes', { name: 'Door <b>' })).body.public_slug}`, shown: 'Door &lt;b&gt;' },
  {
    path: `/o/${(await acme.post('/v1/objects', { type: 'press', name: 'Press 7' })).body.public_slug}`,
    shown: 'Press 7',
  },
  {
    path: `/g/${acme.slug}/01/09506000134352`,
    shown: (await acme.post('/v1/products', { name: 'Oil', gtin: '9506000134352' })).body.name,
  },
]

test('the page of a code that is not set up leads its owner to the page that sets it up', async () => {
  const acme = await harness.createTenant()
  const owner = signedIn(await harness.createPerson(acme, 'owner'))
  for (const { path, shown } of await createEach(acme)) {
    const { text } = await scan(harness, path)
    const [link = '', ...others] = new Set(setUpLinksOf(text))
    expect(others).toEqual([])
    expect(link.startsWith(`${APP}/account/sign-in?next=%2Faccount%2Fcode%2F`)).toBe(true)
    const signIn = link.slice(APP.length)
    const next = new URL(link).searchParams.get('next') ?? ''

    const stranger = new Visitor(harness.baseUrl)
    expect((await stranger.open(signIn)).text).toContain(`name="next" value="${next}"`)
    expect((await stranger.open(next)).location).toBe(`/account/sign-in?next=${encodeURIComponent(next)}`)

    expect((await owner.open(signIn)).location).toBe(next)
    expect((await owner.open(next)).text).toContain(shown)
    const refused = await owner.send(next, { url: 'acme' })
    expect([refused.status, refused.text.includes('value="acme"')]).toEqual([400, true])
    expect((await owner.send(next, { url: ' https://acme.com/here ' })).location).toBe(`${next}?saved`)
    expect((await owner.open(`${next}?saved`)).text).toContain('value="https://acme.com/here"')
    expect((await scan(harness, path)).headers.get('location')).toBe('https://acme.com/here')
  }
})

testOnce('people of another organisation, and codes that do not exist, set up nothing', async () => {
  const acme = await harness.createTenant()
  const { id } = (await acme.post('/v1/qr-codes', { name: 'Door' })).body
  const stranger = signedIn(await harness.createPerson(await harness.createTenant(), 'owner'))
  for (const path of [`qr_code/${id}`, `object/${id}`, 'qr_code/x', 'constructor/x', 'qr_code', '']) {
    const { status, text } = await stranger.open(`/account/code/${path}`)
    expect([status, text.includes('Nothing to set up here')], path).toEqual([404, true])
    expect((await stranger.send(`/account/code/${path}`, { url: 'https://evil.example/' })).status, path).toBe(404)
  }
  expect((await acme.get(`/v1/qr-codes/${id}`)).body.destination.url).toBeNull()
})
