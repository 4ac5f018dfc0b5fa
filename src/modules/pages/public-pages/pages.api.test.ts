/** Public pages through HTTP, on both engines. */
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { eraseOrganisation } from '../../../erasure/erase-organisation.ts'
import { startService } from '../../../main/service.ts'
import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { openLocalStore } from '../../../platform/files/local-store.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { EVERY_BLOCK, FAULT_REPORT, type TestBlock } from '../../../testing/data/pages.ts'
import { scan } from '../../../testing/data/scans.ts'
import { setReachable } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useHarness } from '../../../testing/harness.ts'
import { ABOUT_FIELD } from './form-state.ts'
import { openScanContext } from './scan-context.ts'
import { TEXTS } from './texts.ts'

const harness = useHarness()

const HEADING: TestBlock[] = [{ type: 'heading', config: { text: 'Welcome', level: 1 } }]

async function createPage(tenant: Tenant, fields: object = {}) {
  const reply = await tenant.post('/v1/pages', {
    title: 'Report a fault',
    status: 'active',
    blocks: HEADING,
    ...fields,
  })
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 })
  return reply.body
}

const visit = (page: { public_slug: string }, path = '', headers: Record<string, string> = {}) =>
  scan(harness, `/p/${page.public_slug}${path}`, headers)

const viewsOf = async (tenant: Tenant, { id }: { id: string }): Promise<number> =>
  (await tenant.get(`/v1/pages/${id}`)).body.view_count

const cookieOf = ({ headers }: { headers: Headers }) => /wm_visit=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0]

const aboutIn = (text: string) => new RegExp(`name="${ABOUT_FIELD}" value="([^"]*)"`).exec(text)?.[1]

async function createMachine(tenant: Tenant, page: { id: string }, name = 'Press 4') {
  const object = (await tenant.post('/v1/objects', { type: 'machine', name, destination: { page: page.id } })).body
  const properties = [{ key: 'serial', value: 'A-17' }]
  await tenant.put(`/v1/objects/${object.id}/properties`, { properties })
  return object
}

describe('a page', () => {
  test('shows every type of block, and is small', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: EVERY_BLOCK })
    const { status, text } = await visit(page)
    expect(status).toBe(200)
    for (const { config } of EVERY_BLOCK) {
      for (const shown of [config.text, config.label, config.title, config.caption]) {
        if (typeof shown === 'string' && /^[\w ?]+$/.test(shown)) expect(text).toContain(shown)
      }
    }
    const fault = await createPage(acme, { blocks: FAULT_REPORT })
    const compressed = await visit(fault, '', { 'accept-encoding': 'gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(5.25 * 1024)
  })

  test('has its title, description, preview and languages in its head', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, {
      blocks: FAULT_REPORT,
      meta_title: 'Faults',
      meta_description: 'Tell us & we help',
      og_image_url: 'https://acme.com/preview.png',
      favicon_url: 'https://acme.com/icon.png',
      translations: { de: { title: 'Störung', meta_description: 'Wir helfen' } },
    })
    const { text } = await visit(page)
    for (const expected of [
      '<html lang="en">',
      '<title>Faults</title>',
      '<meta name="description" content="Tell us &amp; we help">',
      '<meta property="og:title" content="Faults">',
      '<meta property="og:image" content="https://acme.com/preview.png">',
      '<link rel="icon" href="https://acme.com/icon.png">',
      `<link rel="canonical" href="${page.url}">`,
      `<link rel="alternate" hreflang="de" href="${page.url}?lang=de">`,
      `<link rel="alternate" hreflang="x-default" href="${page.url}">`,
    ]) {
      expect(text).toContain(expected)
    }
    const german = (await visit(page, '?lang=de')).text
    expect(german).toContain('<title>Störung</title>')
    expect(german).toContain('content="Wir helfen"')
    expect(german).toContain(`<link rel="canonical" href="${page.url}?lang=de">`)
  })

  test('is in the language of the address, else of the browser, else in its own', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: FAULT_REPORT })
    const titleIn = async (path: string, header?: string) => {
      const reply = await visit(page, path, header === undefined ? {} : { 'accept-language': header })
      return [/<h1[^>]*>(.*?)</.exec(reply.text)?.[1], reply.headers.get('content-language')]
    }
    expect(await titleIn('')).toEqual(['Report a fault', 'en'])
    expect(await titleIn('', 'de-AT, en;q=0.5')).toEqual(['Störung melden', 'de'])
    expect(await titleIn('', 'ja')).toEqual(['Report a fault', 'en'])
    expect(await titleIn('?lang=de', 'en')).toEqual(['Störung melden', 'de'])
    expect(await titleIn('?lang=ja', 'de')).toEqual(['Störung melden', 'de'])
    expect(await titleIn('?lang=x', 'de')).toEqual(['Störung melden', 'de'])
  })

  test('in any language picks the nearest to that of the visitor, and lists all by their own names', async () => {
    const acme = await harness.createTenant()
    const text = { en: 'Report a fault', 'pt-BR': 'Relatar um defeito', he: 'דיווח על תקלה', 'zh-Hant': '回報故障' }
    const page = await createPage(acme, {
      blocks: [{ type: 'heading', config: { text, level: 1 } }],
      translations: { he: { title: 'תקלה', meta_description: 'ספרו לנו' } },
    })
    const open = async (path: string, header: string) => {
      const reply = await visit(page, path, { 'accept-language': header })
      return { ...reply, language: reply.headers.get('content-language'), etag: reply.headers.get('etag') }
    }
    for (const [path, header, language] of [
      ['', 'he-IL, en;q=0.5', 'he'],
      ['', 'pt', 'pt-BR'],
      ['', 'pt-PT', 'pt-BR'],
      ['', 'zh-TW', 'zh-Hant'],
      ['', 'zh-CN', 'en'],
      ['?lang=he', 'pt', 'he'],
      ['?lang=iw-IL', 'pt', 'he'],
      ['?lang=zh-hant', 'pt', 'zh-Hant'],
    ] as const) {
      const { text: shown, ...reply } = await open(path, header)
      expect([reply.language, shown.includes(`>${text[language]}</h1>`)], `${path} ${header}`).toEqual([language, true])
    }
    const { text: shown } = await open('?lang=he', 'he, de;q=0.5')
    for (const part of [
      '<html lang="he" dir="rtl">',
      '<title>תקלה</title>',
      '<meta name="description" content="ספרו לנו">',
      `<link rel="canonical" href="${page.url}?lang=he">`,
      `hreflang="zh-Hant" href="${page.url}?lang=zh-Hant"`,
      `aria-label="${TEXTS.de.language}" lang="de"`,
      'lang="he" hreflang="he" aria-current="true">עברית</a>',
      'lang="pt-BR" hreflang="pt-BR">português (Brasil)</a>',
      'lang="zh-Hant" hreflang="zh-Hant">繁體中文</a>',
    ]) {
      expect(shown).toContain(part)
    }
    // Unknown tags in an address are no pages of their own.
    const { etag } = await open('', 'pt')
    for (const tag of ['xx', 'fr-CA', 'aaa', 'he_IL', 'a-'.repeat(1500), '%F0%9F%92%A7']) {
      expect((await open(`?lang=${tag}`, 'pt')).etag, tag).toBe(etag)
    }
  })

  test('in a language without an interface has our own words in the one that the visitor reads best', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, {
      ...{ title: 'תקלה', default_language: 'he' },
      blocks: [
        { type: 'heading', config: { text: 'iPhone לא נדלק', level: 1 } },
        { type: 'banner', config: { text: { en: 'Stay away' }, kind: 'danger' } },
        { type: 'form_text', config: { label: 'מה קרה?', name: 'what', required: true } },
      ],
    })
    for (const [header, language] of [
      ['he, de;q=0.5', 'de'],
      ['de-AT', 'de'],
      ['el', 'en'],
    ] as const) {
      const { text } = await visit(page, '?lang=he', { 'accept-language': header })
      const { form, banners } = TEXTS[language]
      for (const part of [
        '<html lang="he" dir="rtl">',
        'dir="rtl">iPhone לא נדלק</h1>',
        `<div dir="auto" lang="en"><bdi class="hidden" lang="${language}" dir="ltr">${banners.danger}: </bdi><p>Stay away</p>`,
        '<label for="f2" dir="rtl">מה קרה?',
        `<p class="help required" lang="${language}" dir="ltr">${form.requiredFields}</p>`,
        `<button class="btn" lang="${language}" dir="ltr">${form.send}</button>`,
      ]) {
        expect(text, header).toContain(part)
      }
    }
    const sent = await visit(page, '/sent?lang=he', { 'accept-language': 'de' })
    expect(sent.text).toContain(`<h1 lang="de" dir="ltr">${TEXTS.de.sent.title}</h1>`)
    // A regional form has the words of its language, and they need no attributes.
    await acme.patch(`/v1/pages/${page.id}`, { default_language: 'de-AT' })
    const austrian = (await visit(page, '', { 'accept-language': 'fr' })).text
    expect(austrian).toContain('<html lang="de-AT">')
    expect(austrian).toContain(`<button class="btn">${TEXTS.de.form.send}</button>`)
  })

  test('marks texts that are not in the language of the page', async () => {
    const acme = await harness.createTenant()
    const heading = (text: unknown, level: number) => ({ type: 'heading', config: { text, level } })
    const page = await createPage(acme, {
      blocks: [heading({ ar: 'عطل', de: 'Störung' }, 1), heading('Fault', 2), heading({ fr: 'Panne' }, 3)],
    })
    const german = (await visit(page, '?lang=de')).text
    expect(german).toContain('dir="auto">Störung</h1>')
    expect(german).toContain('dir="auto" lang="en">Fault</h2>')
    expect(german).toContain('dir="auto" lang="fr">Panne</h3>')
    expect((await visit(page, '?lang=ar')).text).toContain('<h1 class="left" dir="rtl">عطل</h1>')
  })

  test('is sent again only if it has changed, and shows a change at once', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const first = await visit(page)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(await visit(page, '', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    await acme.put(`/v1/pages/${page.id}/blocks`, { blocks: [{ type: 'heading', config: { text: 'Changed' } }] })
    const changed = await visit(page, '', { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.text).toContain('>Changed</h2>')
    await acme.patch('/v1/organisation', { name: 'Acme & Sons' })
    expect((await visit(page)).text).toContain('>Acme &amp; Sons</b>')
  })

  test('has the same content however it is compressed', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: FAULT_REPORT })
    const plain = await fetch(`${harness.baseUrl}/p/${page.public_slug}`, {
      headers: { 'accept-encoding': 'identity' },
    })
    const gzipped = await fetch(`${harness.baseUrl}/p/${page.public_slug}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(await gzipped.text()).toBe(await plain.text())
  })

  test('allows no other scripts, styles, forms or frames', async () => {
    const acme = await harness.createTenant()
    const [plain, form] = [await createPage(acme), await createPage(acme, { blocks: FAULT_REPORT })]
    const policyOf = async (page: { public_slug: string }) =>
      (await visit(page)).headers.get('content-security-policy') ?? ''
    expect(await policyOf(plain)).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src https: data: 'self'; media-src https: 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(await policyOf(form)).toContain("script-src 'self'; connect-src 'self'; form-action 'self'")
  })

  test('links to other pages, knowledge bases and addresses, and leaves out what was deleted', async () => {
    const acme = await harness.createTenant()
    const base = (await acme.post('/v1/knowledge-bases', { name: 'Help' })).body
    const [other, deleted] = [await createPage(acme), await createPage(acme)]
    const button = (label: string, config: object) => ({ type: 'button', config: { label, ...config } })
    const page = await createPage(acme, {
      blocks: [
        button('Help centre', { destination: { knowledge_base: base.id } }),
        button('Other page', { destination: { page: other.id } }),
        button('Deleted page', { destination: { page: deleted.id } }),
        button('Shop', { url: 'https://acme.com/?s={{object.properties.serial}}' }),
      ],
    })
    await acme.delete(`/v1/pages/${deleted.id}`)
    const { text } = await visit(page)
    expect(text).toContain(`href="/kb/${base.public_slug}" dir="auto">Help centre</a>`)
    expect(text).toContain(`href="/p/${other.public_slug}" dir="auto">Other page</a>`)
    expect(text).toContain('href="https://acme.com/?s=" dir="auto" rel="noopener">Shop</a>')
    expect(text).not.toContain('Deleted page')
    const machine = await createMachine(acme, page)
    const scanned = (await scan(harness, `/o/${machine.public_slug}`)).text
    expect(scanned).toContain('href="https://acme.com/?s=A-17"')
    const about = new RegExp(`/p/${other.public_slug}\\?${ABOUT_FIELD}=([^"]+)`).exec(scanned)?.[1]
    expect(openScanContext(harness.service.keyring, other.id, about)).toEqual({ kind: 'object', id: machine.id })
  })

  test('lets a visitor save a contact', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: EVERY_BLOCK })
    const { text } = await visit(page)
    const path = /\/contact\/[^"]+/.exec(text)?.[0] ?? ''
    const reply = await visit(page, path)
    expect(reply.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="contact.vcf"')
    expect(reply.text.split('\r\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Acme Service',
      'N:Acme Service;;;;',
      'ORG:Acme\\; Inc.',
      'TITLE:Help desk',
      'TEL:+49 (30) 123-456',
      'EMAIL:help@acme.example',
      'URL:https://www.acme.example/',
      'ADR:;;Main Street 1\\n12345 Berlin;;;;',
      'END:VCARD',
      '',
    ])
    expect((await visit(page, path.replace(/[0-9a-f]{12}\.vcf/, '000000000000.vcf'))).status).toBe(404)
  })

  test('says thank you after the form was sent', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: EVERY_BLOCK })
    const sent = await visit(page, '/sent?lang=de')
    expect(sent.status).toBe(200)
    expect(sent.text).toContain('Received</h1>')
    expect(sent.text).toContain('We will call you.')
    expect(sent.text).toContain(TEXTS.de.sent.back)
    expect(sent.text).toContain('<meta name="robots" content="noindex">')
    expect(await viewsOf(acme, page)).toBe(0)
  })

  test('takes the value of a hidden field from the address', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: EVERY_BLOCK })
    expect((await visit(page)).text).toContain('name="source" value="unknown"')
    expect((await visit(page, '?utm_source=a%22b')).text).toContain('name="source" value="a&quot;b"')
    expect((await visit(page)).text).toContain('name="source" value="unknown"')
  })
})

describe('after a scan', () => {
  test('a page knows what was scanned, and shows its current name', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: FAULT_REPORT })
    const machine = await createMachine(acme, page)
    const first = await scan(harness, `/o/${machine.public_slug}`)
    expect(first.status).toBe(200)
    expect(first.text).toContain('<strong>Press 4</strong>, serial number A-17.')
    expect(openScanContext(harness.service.keyring, page.id, aboutIn(first.text))).toEqual({
      kind: 'object',
      id: machine.id,
    })
    expect((await visit(page)).text).toContain('<strong>this machine</strong>, serial number unknown.')
    await acme.patch(`/v1/objects/${machine.id}`, { name: 'Press 5' })
    await acme.put(`/v1/objects/${machine.id}/properties`, {
      properties: [{ key: 'serial', value: '{{object.name}}' }],
    })
    const second = await scan(harness, `/o/${machine.public_slug}`)
    expect(second.text).toContain('<strong>Press 5</strong>, serial number {{object.name}}.')
  })

  test('the links to other languages keep what was scanned, and nobody can make that up', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: FAULT_REPORT })
    const machine = await createMachine(acme, page)
    const { text } = await scan(harness, `/o/${machine.public_slug}`)
    const link = /href="(\/p\/[^"]*lang=de[^"]*)" lang="de"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const german = await scan(harness, link)
    expect(german.text).toContain('<strong>Press 4</strong>, Seriennummer A-17.')
    expect(german.headers.get('x-robots-tag')).toBe('noindex')
    expect((await scan(harness, link.slice(0, -2))).text).toContain('<strong>dieser Maschine</strong>')
    const other = await createPage(acme, { blocks: FAULT_REPORT })
    const moved = await scan(harness, link.replace(page.public_slug, other.public_slug))
    expect(moved.text).toContain('<strong>dieser Maschine</strong>')
  })

  test('the visit is remembered in a cookie, with the params of the code and of the visitor', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme, { blocks: FAULT_REPORT })
    const code = (await acme.post('/v1/qr-codes', { destination: { page: page.id } })).body
    await acme.put(`/v1/qr-codes/${code.id}/url-params`, {
      url_params: [
        { key: 'utm_source', value: 'code' },
        { key: 'utm_medium', value: 'sticker' },
      ],
    })
    const { headers } = await scan(harness, `/${code.public_slug}?utm_source=visitor`)
    const [row] = (await acme.get(`/v1/qr-codes/${code.id}/scans`)).body.data
    const data = /wm_visit=([\w-]+)\./.exec(cookieOf({ headers }) ?? '')?.[1] ?? ''
    expect(JSON.parse(Buffer.from(data, 'base64url').toString())).toEqual({
      id: expect.stringMatching(/^\w{12}$/),
      pageId: page.id,
      openedAtMs: expect.any(Number),
      countedAtMs: expect.any(Number),
      scanId: row.id,
      query: { utm_source: 'visitor', utm_medium: 'sticker' },
    })
    expect(headers.get('set-cookie')).toContain(`Path=/p/${page.public_slug}; Max-Age=86400; HttpOnly; SameSite=Lax`)
    expect(headers.get('set-cookie')).toContain(`Path=/${code.public_slug};`)
  })
})

describe('a page that is not active', () => {
  test.each([
    ['draft', 200, TEXTS.en.notices.draft.title],
    ['inactive', 200, TEXTS.en.notices.paused.title],
    ['archived', 200, TEXTS.en.notices.paused.title],
  ])('shows a notice if it is %s, at its own address and after a scan', async (status, code, title) => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const machine = await createMachine(acme, page)
    expect((await visit(page)).status).toBe(200)
    await acme.patch(`/v1/pages/${page.id}`, { status })
    const scanned = await scan(harness, `/o/${machine.public_slug}`)
    const scanTitle = status === 'draft' ? 'This code is not set up yet' : 'This code is paused'
    for (const [reply, shown] of [
      [await visit(page), title],
      [await visit(page, '/sent'), title],
      [scanned, scanTitle],
    ] as const) {
      expect(reply.status).toBe(code)
      expect(reply.text).toContain(`<title>${shown}</title>`)
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.text).not.toContain('Welcome')
    }
    expect(await viewsOf(acme, page)).toBe(1)
  })

  test('shows a notice if it was deleted or never existed', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const machine = await createMachine(acme, page)
    await acme.delete(`/v1/pages/${page.id}`)
    const deleted = await visit(page)
    expect(deleted.status).toBe(410)
    expect(deleted.text).toContain(TEXTS.en.notices.gone.title)
    // The code can get another destination.
    const scanned = await scan(harness, `/o/${machine.public_slug}`)
    expect(scanned.status).toBe(200)
    expect(scanned.text).toContain('<title>This code is not set up yet</title>')
    for (const slug of ['aB3dE5gHjK2m', 'short', '%00', '%2f', 'x'.repeat(500)]) {
      const reply = await visit({ public_slug: slug }, '', { 'accept-language': 'de' })
      expect(reply.status, slug).toBe(404)
      expect(reply.text).toContain(TEXTS.de.notices.unknown.title)
    }
  })
})

describe('views', () => {
  test('people are counted once per visit', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const cookie = cookieOf(await visit(page)) ?? ''
    expect(cookieOf(await visit(page, '', { cookie }))).toBeUndefined()
    expect(await viewsOf(acme, page)).toBe(1)
    harness.advance(29 * MINUTE_MS)
    await visit(page, '', { cookie })
    expect(await viewsOf(acme, page)).toBe(1)
    harness.advance(2 * MINUTE_MS)
    expect(cookieOf(await visit(page, '', { cookie }))).toBeDefined()
    expect(await viewsOf(acme, page)).toBe(2)
    await visit(page, '', { cookie: `${cookie}x` })
    expect(await viewsOf(acme, page)).toBe(3)
  })

  test('a second scan of the same code is the same visit', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const machine = await createMachine(acme, page)
    const cookie = cookieOf(await scan(harness, `/o/${machine.public_slug}`)) ?? ''
    await scan(harness, `/o/${machine.public_slug}`, { cookie })
    await visit(page, '', { cookie })
    expect(await viewsOf(acme, page)).toBe(1)
    const other = await createPage(acme)
    await visit(other, '', { cookie })
    expect(await viewsOf(acme, other)).toBe(1)
  })

  test('programs are not counted', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    await scan(harness, `/p/${page.public_slug}`, {}, { method: 'HEAD' })
    for (const agent of ['curl/8.0', 'Googlebot/2.1', 'facebookexternalhit/1.1', '']) {
      expect((await visit(page, '', { 'user-agent': agent })).status).toBe(200)
    }
    await visit(page, '', { 'sec-purpose': 'prefetch' })
    expect(await viewsOf(acme, page)).toBe(0)
  })

  test('two hundred concurrent visitors of three pages are each counted once', async () => {
    const acme = await harness.createTenant()
    const pages = [await createPage(acme), await createPage(acme), await createPage(acme)]
    await Promise.all(Array.from({ length: 200 }, async (_, n) => expect((await visit(pages[n % 3])).status).toBe(200)))
    expect(await Promise.all(pages.map((page) => viewsOf(acme, page)))).toEqual([67, 67, 66])
    const rows = await harness.service.database.read
      .selectFrom('page_views')
      .select('page_id')
      .where('org_id', '=', acme.orgId)
      .execute()
    expect(pages.map(({ id }) => rows.filter((row) => row.page_id === id).length)).toEqual([67, 67, 66])
  })
})

test('the pages of an organisation that is erased end at once, although they are in memory', async () => {
  const acme = await harness.createTenant()
  const page = await createPage(acme)
  expect((await visit(page)).status).toBe(200)
  const store = openLocalStore(join(harness.folder, 'assets'))
  await eraseOrganisation(harness.service.database, acme.orgId, store)
  expect((await visit(page)).status).toBe(404)
})

describe.runIf(inject('engine') === 'postgres')('on PostgreSQL', () => {
  test('while the database is unreachable, known pages are shown and their views are counted later', async () => {
    const acme = await harness.createTenant()
    const [page, unknown] = [await createPage(acme, { blocks: FAULT_REPORT }), await createPage(acme)]
    const machine = await createMachine(acme, page)
    // Other hosts may be custom domains, which must be looked up.
    const scanIt = () => scan(harness, `/o/${machine.public_slug}`, { host: new URL(page.url).host })
    await visit(page)
    await scanIt()
    await setReachable(harness.location, false)
    const [direct, scanned, missing] = [await visit(page), await scanIt(), await visit(unknown)]
    await setReachable(harness.location, true)
    expect([direct.status, scanned.status, missing.status]).toEqual([200, 200, 503])
    expect(scanned.text).toContain('<strong>Press 4</strong>, serial number A-17.')
    expect(missing.headers.get('retry-after')).toBe('5')
    expect(missing.text).toContain(TEXTS.en.notices.unavailable.title)
    await eventually(async () => (await visit(unknown)).status === 200)
    await eventually(async () => (await viewsOf(acme, page)) === 4)
    await eventually(async () => (await acme.get(`/v1/objects/${machine.id}`)).body.total_scans === 2)
  })

  test('a change made through one instance is shown by another', async () => {
    const acme = await harness.createTenant()
    const page = await createPage(acme)
    const other = await startService(testConfig(harness), 'scan', createLogger('silent'))
    try {
      const there = { baseUrl: `http://127.0.0.1:${other.port}` }
      const read = () => scan(there, `/p/${page.public_slug}`)
      expect((await read()).text).toContain('<title>Report a fault</title>')
      for (let n = 0; n < 3; n++) {
        await acme.patch(`/v1/pages/${page.id}`, { title: `Changed ${n}` })
        await eventually(async () => (await read()).text.includes(`<title>Changed ${n}</title>`))
      }
      await acme.delete(`/v1/pages/${page.id}`)
      await eventually(async () => (await read()).status === 410)
    } finally {
      await other.close()
    }
  })
})
