/** What an organisation looks like to its visitors and in its mails. */
import { describe, expect, inject, test } from 'vitest'
import { startService } from '../../../main/service.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { scan } from '../../../testing/data/scans.ts'
import { insertTestRows } from '../../../testing/engines/insert-test-rows.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useMailingHarness } from '../../../testing/harness.ts'
import { getRole } from '../roles/index.ts'

const { harness, smtp } = await useMailingHarness()

const LOGO = 'https://acme.example/logo.png'
const BRAND = { primary_color: '#fff9c4', corner_radius: 3, light_background: '#eef4ff', dark_background: '#0b1b33' }
const INHERITED = { ...BRAND, primary_color: null, corner_radius: null, light_background: null, dark_background: null }

const createOf = async (tenant: Tenant, path: string, body: object) => {
  const reply = await tenant.post(`/v1/${path}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

const setBrand = async (tenant: Tenant, body: object) => {
  const reply = await tenant.patch('/v1/organisation', body)
  expect(reply, reply.text).toMatchObject({ status: 200 })
  return reply.body
}

const TITLE = { blocks: [{ type: 'heading', config: { text: { en: 'Hello', de: 'Hallo' }, level: 1 } }] }

/** One address of each kind of page. */
async function createSurfaces(tenant: Tenant) {
  const page = await createOf(tenant, 'pages', { title: 'Hello', status: 'active', ...TITLE })
  const base = await createOf(tenant, 'knowledge-bases', { name: 'Care', is_published: true })
  const bot = await createOf(tenant, 'chatbots', { name: 'Assistant', status: 'active' })
  const code = await createOf(tenant, 'qr-codes', { name: 'A note', status: 'inactive' })
  const draft = await createOf(tenant, 'pages', { title: 'Later', status: 'draft' })
  const paths = {
    page: `/p/${page.public_slug}`,
    draft: `/p/${draft.public_slug}`,
    centre: `/kb/${base.public_slug}`,
    chat: `/c/${bot.public_slug}`,
    frame: `/c/${bot.public_slug}/frame`,
    notice: `/${code.public_slug}`,
  }
  return { page, base, bot, paths }
}

const read = async (path: string, at = harness.baseUrl) => (await scan({ baseUrl: at }, path)).text

describe('a brand', () => {
  test('has fields that are kept unless they are sent, and is in the audit log', async () => {
    const acme = await harness.createTenant()
    expect((await setBrand(acme, { brand: BRAND })).brand).toEqual(BRAND)
    expect((await setBrand(acme, { brand: {} })).brand).toEqual(BRAND)
    expect((await setBrand(acme, { brand: { corner_radius: null } })).brand).toEqual({ ...BRAND, corner_radius: null })
    const [entry] = (await acme.get('/v1/audit-log')).body.data
    expect(entry.changes.brand).toEqual({ from: BRAND, to: { ...BRAND, corner_radius: null } })
    for (const brand of [null, { primary_color: 'red' }, { corner_radius: 49 }, { corner_radius: 1.5 }, { logo: 'x' }])
      expect((await acme.patch('/v1/organisation', { brand })).status, JSON.stringify(brand)).toBe(400)
  })

  test('is on every public page with the next visit, and gone with the next', async () => {
    const acme = await harness.createTenant()
    const { paths } = await createSurfaces(acme)
    for (const path of Object.values(paths)) expect(await read(path), path).not.toMatch(/--round:|fff9c4|logo\.png/)
    await setBrand(acme, { name: 'Acme & Sons', logo_url: LOGO, brand: BRAND })
    for (const path of Object.values(paths)) {
      const text = await read(path)
      for (const part of ['Acme &amp; Sons', `src="${LOGO}"`, '--round:3px', '--fill:#fff9c4', '--page:#eef4ff'])
        expect(text, path).toContain(part)
      expect(text, path).toMatch(/prefers-color-scheme:dark\).*--page:#0b1b33/s)
    }
    await setBrand(acme, { logo_url: null, brand: INHERITED })
    for (const path of Object.values(paths)) {
      const text = await read(path)
      expect(text, path).not.toMatch(/--round:|fff9c4|logo\.png|eef4ff/)
      expect(text, path).toContain('Acme &amp; Sons')
    }
  })

  test('gives way to what a help centre, a chatbot or a page has of its own', async () => {
    const acme = await harness.createTenant()
    const { page, base, bot, paths } = await createSurfaces(acme)
    await setBrand(acme, { logo_url: LOGO, brand: BRAND })
    const own = { primary_color: '#123456', logo_url: 'https://acme.example/own.png' }
    await acme.patch(`/v1/knowledge-bases/${base.id}`, own)
    await acme.patch(`/v1/chatbots/${bot.id}`, own)
    const background = { type: 'color', value: '#ffe0e0', locked: true }
    const { body } = await acme.patch(`/v1/pages/${page.id}`, { background, island: { roundness: 30 } })
    expect(body.background).toEqual({ ...background, animated: false })
    for (const path of [paths.centre, paths.chat]) {
      const text = await read(path)
      for (const part of ['--fill:#123456', 'src="https://acme.example/own.png"', '--page:#eef4ff', '--round:3px'])
        expect(text, path).toContain(part)
      expect(text, path).not.toMatch(/fff9c4|logo\.png/)
    }
    const text = await read(paths.page)
    for (const part of ['--page:#ffe0e0', '--island-round:30px', '--fill:#fff9c4', LOGO]) expect(text).toContain(part)
    expect(text).not.toContain('prefers-color-scheme')
    await acme.patch(`/v1/pages/${page.id}`, { background: { ...background, locked: false } })
    expect(await read(paths.page)).toContain('prefers-color-scheme:dark')
  })

  test('is in the mails of the organisation, with its logo if that is a file of ours', async () => {
    const acme = await harness.createTenant()
    const asset = await createOf(acme, 'assets', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'))
    const invited = async (email: string) => {
      await createOf(acme, 'team/invitations', { email, role_id: getRole('agent').id })
      await eventually(() => smtp.received.some(({ to }) => to.includes(email)))
      return smtp.received.find(({ to }) => to.includes(email))?.html ?? ''
    }
    const before = await invited('one@acme.example')
    expect(before).not.toContain('<img')
    await setBrand(acme, { name: 'Acme & Sons', logo_url: LOGO, brand: BRAND })
    const branded = await invited('two@acme.example')
    expect(branded, 'tells no other host that it was opened').not.toContain('<img')
    for (const part of [
      '<bdi>Acme &amp; Sons</bdi>',
      'background:#fff9c4;color:#000000',
      'border-radius:3px',
      '#0b1b33',
    ])
      expect(branded).toContain(part)
    // An installation that is served by HTTPS accepts the address of its own file.
    await harness.service.database.write((tx) =>
      tx.updateTable('organisations').set({ logo_url: asset.url }).where('id', '=', acme.orgId).execute(),
    )
    expect(await invited('three@acme.example')).toContain(`<img src="${asset.url}" alt="Acme &amp; Sons"`)
  })
})

describe('what was scanned', () => {
  /** A product whose first image is too large to be shown, and the page of its code. */
  async function createProduct(tenant: Tenant, destination: object | null) {
    const product = await createOf(tenant, 'products', {
      ...{ name: 'Oak & ash chair', gtin: '9506000134352' },
      ...(destination === null ? { status: 'inactive' } : { destination }),
    })
    const images = [5_000_000, 20_000, 10_000].map((size_bytes, n) => {
      const file = { asset: `${n}-${product.id}.png`, file_name: 'a.png', media_type: 'image/png' as const, size_bytes }
      return { id: newId(), org_id: tenant.orgId, product_id: product.id, ...file, sort_order: n, created_at: NOW }
    })
    await harness.service.database.write((tx) => insertTestRows(tx, 'product_images', images))
    return { path: `/01/09506000134352`, image: `/assets/1-${product.id}.png`, product }
  }
  const NOW = timestamp(Date.now())
  const chip = (image: string, text = 'Oak &amp; ash chair') =>
    new RegExp(`<p class="scanned"><img src="${image}" alt=""[^>]*><span dir="auto">(?:You scanned: )?${text}</span>`)

  test('is shown with its picture by pages, chats and notices, and not to those who come without a scan', async () => {
    const acme = await harness.createTenant()
    const { page, bot, paths } = await createSurfaces(acme)
    const { product, image } = await createProduct(acme, { page: page.id })
    const { pathname } = new URL(product.url)
    expect(await read(pathname)).toMatch(chip(image))
    expect(await read(paths.page)).not.toContain('class="scanned"')
    await acme.patch(`/v1/products/${product.id}`, { name: 'Ash chair' })
    expect(await read(pathname)).toMatch(chip(image, 'Ash chair'))
    await acme.patch(`/v1/products/${product.id}`, { name: 'Oak & ash chair', destination: { chatbot: bot.id } })
    const redirect = await scan(harness, pathname)
    const location = new URL(redirect.headers.get('location') ?? '')
    const first = await scan(harness, location.pathname + location.search)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await scan(harness, paths.chat, { cookie })).text).toMatch(chip(image))
    await acme.patch(`/v1/products/${product.id}`, { status: 'inactive' })
    expect(await read(pathname)).toMatch(chip(image))
  })

  test('is the name of an object, and never a note, a property or a thing of somebody else', async () => {
    const acme = await harness.createTenant()
    const { page } = await createSurfaces(acme)
    const destination = { page: page.id }
    const object = await createOf(acme, 'objects', {
      type: 'press',
      name: 'Press 4',
      external_id: 'secret',
      destination,
    })
    const nameless = await createOf(acme, 'objects', { type: 'press', external_id: 'secret-2', destination })
    const code = await createOf(acme, 'qr-codes', { name: 'Ask Kim about this', destination })
    expect(await read(`/o/${object.public_slug}`)).toMatch(/<p class="scanned"><svg.*?<span dir="auto">Press 4<\/span>/)
    for (const path of [`/o/${nameless.public_slug}`, `/${code.public_slug}`])
      expect(await read(path), path).not.toMatch(/class="scanned"|secret|Kim/)
  })
})

test('there is one language switch, at the top of every page', async () => {
  const acme = await harness.createTenant()
  const { base, paths } = await createSurfaces(acme)
  await acme.patch(`/v1/knowledge-bases/${base.id}`, { translations: { de: { name: 'Pflege' } } })
  for (const path of Object.values(paths)) {
    const text = await read(path)
    const [own = ''] = /<nav class="languages".*?<\/nav>/s.exec(text) ?? []
    expect(own, path).toMatch(
      /^<nav class="languages" aria-label="[^"]+"[^>]*><details><summary><svg.*?<span lang="en">English<\/span><\/summary><ul id="languages">.*lang="de".*>Deutsch<\/a>/,
    )
  }
})

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test('a brand that was changed by one instance is shown by another', async () => {
    const acme = await harness.createTenant()
    const { paths } = await createSurfaces(acme)
    const other = await startService(testConfig(harness), 'scan', createLogger('silent'))
    try {
      const there = `http://127.0.0.1:${other.port}`
      for (const path of Object.values(paths)) expect(await read(path, there)).not.toContain('--fill:#fff9c4')
      await setBrand(acme, { brand: BRAND })
      for (const path of Object.values(paths))
        await eventually(async () => (await read(path, there)).includes('--fill:#fff9c4'))
    } finally {
      await other.close()
    }
  })
})
