/** Tests the guarantee that a page only ever has blocks that visitors can use, and that an error names what is wrong. */
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../../testing/client.ts'
import { useHarness } from '../../../testing/harness.ts'
import { Block } from './contract.ts'
import type { BlockType } from './index.ts'

const harness = useHarness({ role: 'api' })

const URL = 'https://acme.com/care'
const BOTH = { en: 'Serial number', de: 'Seriennummer' }
const FIELD = { label: 'Serial number', name: 'serial' }
const FULL_FIELD = { label: BOTH, name: 'serial', required: true, help: { en: 'On the label', de: 'Auf dem Schild' } }
const FIELD_DEFAULTS = { required: false, help: null }
const OPTIONS = [
  { value: 'a', label: 'A' },
  { value: 'b', label: { en: 'B', de: 'B auf Deutsch' } },
]

interface Case {
  minimal: object
  /** What the service adds to the minimal config. */
  defaults: object
  full: object
  required: string[]
  wrong: Record<string, unknown>
}

/** Every type, with the smallest and the largest config, and values that each field refuses. */
const CASES: Record<BlockType, Case> = {
  heading: {
    minimal: { text: 'Welcome' },
    defaults: { level: 2, alignment: 'left', color: null },
    full: { text: BOTH, level: 6, alignment: 'right', color: '#1a2b3c' },
    required: ['text'],
    wrong: { text: '', level: 7, alignment: 'justify', color: 'red' },
  },
  text: {
    minimal: { text: 'Clean it **once a week**.' },
    defaults: { alignment: 'left', color: null },
    full: { text: BOTH, alignment: 'center', color: '#1a2b3c' },
    required: ['text'],
    wrong: { text: 'x'.repeat(10_001), alignment: 1, color: '#12345' },
  },
  image: {
    minimal: { url: URL },
    defaults: { alt: null, caption: null, link_url: null, width: 'full' },
    full: { url: URL, alt: BOTH, caption: BOTH, link_url: URL, width: 'small' },
    required: ['url'],
    wrong: { url: 'javascript:alert(1)', alt: 1, link_url: 'data:text/html,x', width: 'huge' },
  },
  video: {
    minimal: { url: URL, title: 'Cleaning' },
    defaults: { poster_url: null, caption: null },
    full: { url: URL, title: BOTH, poster_url: URL, caption: BOTH },
    required: ['url', 'title'],
    wrong: { url: 'ftp://acme.com/a.mp4', title: '  ', poster_url: 'x' },
  },
  divider: {
    minimal: {},
    defaults: { style: 'line', color: null },
    full: { style: 'dots', color: '#1a2b3c' },
    required: [],
    wrong: { style: 'wave', color: '' },
  },
  banner: {
    minimal: { text: 'Closed today' },
    defaults: { title: null, kind: 'info' },
    full: { text: BOTH, title: BOTH, kind: 'danger' },
    required: ['text'],
    wrong: { text: [], title: '', kind: 'error' },
  },
  button: {
    minimal: { label: 'Manual', url: URL },
    defaults: { destination: null, style: 'primary' },
    full: { label: BOTH, url: URL, destination: null, style: 'outline' },
    required: ['label'],
    wrong: { label: 'x'.repeat(101), url: '/care', style: 'link' },
  },
  contact: {
    minimal: { name: 'Acme' },
    defaults: { organisation: null, job_title: null, phone: null, email: null, website: null, address: null },
    full: {
      ...{ name: 'Acme', organisation: 'Acme Ltd', job_title: BOTH, phone: '+49 30 1234', email: 'care@acme.example' },
      ...{ website: URL, address: 'Main Street 1\nBerlin' },
    },
    required: ['name'],
    wrong: { name: '', email: 'acme', website: 'acme.com', phone: 49, address: ' ' },
  },
  file: {
    minimal: { url: URL, label: 'Manual' },
    defaults: { description: null },
    full: { url: URL, label: BOTH, description: BOTH },
    required: ['url', 'label'],
    wrong: { url: '', label: null, description: {} },
  },
  form_text: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, placeholder: null, min: null, max: null, pattern: null },
    full: { ...FULL_FIELD, placeholder: BOTH, min: 2, max: 20, pattern: '[A-Z]{2}\\d{4,}' },
    required: ['label', 'name'],
    wrong: { name: 'a b', required: 'yes', min: -1, max: 1001, pattern: '(', help: 5, placeholder: '' },
  },
  form_textarea: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, placeholder: null, min: null, max: null, rows: 4 },
    full: { ...FULL_FIELD, placeholder: BOTH, min: 0, max: 10_000, rows: 20 },
    required: ['label', 'name'],
    wrong: { min: 1.5, max: 10_001, rows: 1 },
  },
  form_email: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, placeholder: null },
    full: { ...FULL_FIELD, placeholder: BOTH },
    required: ['label', 'name'],
    wrong: { label: { xx: 'Serial' } },
  },
  form_phone: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, placeholder: null },
    full: { ...FULL_FIELD, placeholder: BOTH },
    required: ['label', 'name'],
    wrong: { label: { de: 1 } },
  },
  form_number: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, placeholder: null, min: null, max: null, step: null },
    full: { ...FULL_FIELD, placeholder: BOTH, min: -1.5, max: 1e15, step: 0.01 },
    required: ['label', 'name'],
    wrong: { min: '1', max: 1e16, step: 0 },
  },
  form_select: {
    minimal: { ...FIELD, options: OPTIONS },
    defaults: { ...FIELD_DEFAULTS, placeholder: null },
    full: { ...FULL_FIELD, placeholder: BOTH, options: OPTIONS },
    required: ['label', 'name', 'options'],
    wrong: { options: [] },
  },
  form_radio: {
    minimal: { ...FIELD, options: OPTIONS },
    defaults: FIELD_DEFAULTS,
    full: { ...FULL_FIELD, options: OPTIONS },
    required: ['label', 'name', 'options'],
    wrong: { options: [OPTIONS[0], OPTIONS[0]] },
  },
  form_switch: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, default: false },
    full: { ...FULL_FIELD, default: true },
    required: ['label', 'name'],
    wrong: { default: 'on' },
  },
  form_checkbox: {
    minimal: { ...FIELD, options: OPTIONS },
    defaults: { ...FIELD_DEFAULTS, min: null, max: null },
    full: { ...FULL_FIELD, options: OPTIONS, min: 1, max: 2 },
    required: ['label', 'name', 'options'],
    wrong: { options: 'a', min: -1, max: 0 },
  },
  form_rating: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, max: 5 },
    full: { ...FULL_FIELD, max: 10 },
    required: ['label', 'name'],
    wrong: { max: 2 },
  },
  form_date: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, min: null, max: null },
    full: { ...FULL_FIELD, min: '2024-02-29', max: '2026-12-31' },
    required: ['label', 'name'],
    wrong: { min: '2026-02-29', max: '2026-12-31T00:00:00Z' },
  },
  form_hidden: {
    minimal: { name: 'source' },
    defaults: { value: '', query_param: null },
    full: { name: 'source', value: 'poster', query_param: 'utm_source' },
    required: ['name'],
    wrong: { value: 'x'.repeat(501), query_param: 'a b' },
  },
  form_media: {
    minimal: FIELD,
    defaults: { ...FIELD_DEFAULTS, accept: ['image'], max_files: 3, max_size_mb: 10 },
    full: { ...FULL_FIELD, accept: ['image', 'video', 'audio', 'pdf'], max_files: 10, max_size_mb: 15 },
    required: ['label', 'name'],
    wrong: { accept: [], max_files: 11, max_size_mb: 0 },
  },
  form_submit: {
    minimal: { label: 'Send' },
    defaults: { style: 'primary', success_title: null, success_text: null, success_url: null },
    full: { label: BOTH, style: 'secondary', success_title: BOTH, success_text: BOTH, success_url: URL },
    required: ['label'],
    wrong: { label: ' ', success_url: 'mailto:a@acme.example' },
  },
}

const SPACINGS = { spacing_top: 0, spacing_bottom: 16, spacing_left: 0, spacing_right: 0 }
const divider = () => ({ type: 'divider', config: {} })
const heading = (text: unknown, more: object = {}) => ({ type: 'heading', config: { text, ...more } })
const input = (name: string, more: object = {}) => ({ type: 'form_text', config: { ...FIELD, name, ...more } })

async function openPage(blocks: object[] = []) {
  const acme = await harness.createTenant()
  const created = await acme.post('/v1/pages', { title: 'Care', blocks })
  expect(created, created.text).toMatchObject({ status: 201 })
  const path = `/v1/pages/${created.body.id}`
  const put = (blocks: unknown): Promise<Reply> => acme.put(`${path}/blocks`, { blocks })
  return { acme, path, put, created: created.body, get: async () => (await acme.get(path)).body }
}

/** Expects one error, which begins like this: the path of the field. */
function expectProblem({ status, body }: Reply, begin: string): void {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_payload' })
  const [[field, messages], ...others] = Object.entries<string[]>(body.details.fieldErrors) as [[string, string[]]]
  expect([others, messages]).toEqual([[], [expect.any(String)]])
  const problem = `${field}: ${messages[0]}`
  expect(problem.slice(0, begin.length)).toBe(begin)
  expect(problem).not.toMatch(/Invalid|undefined|\[object/)
}

test('CASES has every type', () => {
  expect(Object.keys(CASES)).toEqual(Block.options.map(({ shape }) => shape.type.value))
  expect(Object.keys(CASES)).toHaveLength(23)
})

describe.each(Object.entries(CASES))('%s', (type, { minimal, defaults, full, required, wrong }) => {
  test('is stored with all fields, and with defaults for those that are missing', async () => {
    const { put, get } = await openPage()
    const { status, body } = await put([{ type, config: minimal }])
    expect(status, JSON.stringify(body)).toBe(200)
    const id = expect.any(String)
    expect(body.blocks).toEqual([{ id, type, sort_order: 0, config: { ...minimal, ...defaults }, ...SPACINGS }])
    expect(await get()).toEqual(body)
    const spacings = { spacing_top: 200, spacing_bottom: 0, spacing_left: 1, spacing_right: 2 }
    const again = await put([{ type, config: full, ...spacings }])
    expect(again.body.blocks).toEqual([{ id, type, sort_order: 0, config: full, ...spacings }])
    expect(await get()).toEqual(again.body)
  })

  test('an unknown key, a missing field and a wrong value are refused, with the index and the field', async () => {
    const { put, get, created } = await openPage()
    const refused = async (config: object, begin: string) =>
      expectProblem(await put([divider(), heading('Care'), { type, config }]), begin)
    await refused({ ...full, unknown: 1 }, 'blocks[2].config.unknown: Unknown field')
    for (const name of required) {
      const { [name]: _, ...rest } = full as Record<string, unknown>
      await refused(rest, `blocks[2].config.${name}: Required`)
    }
    for (const [name, value] of Object.entries(wrong)) {
      await refused({ ...full, [name]: value }, `blocks[2].config.${name}`)
    }
    expectProblem(await put([{ type, config: full, sort_order: 1 }]), 'blocks[0].sort_order: Read-only field')
    expectProblem(await put([{ type, config: full, spacing_top: 201 }]), 'blocks[0].spacing_top: Must be at most 200')
    expectProblem(await put([{ type }]), 'blocks[0].config: Required')
    expect(await get()).toEqual(created)
  })
})

test('an unknown type and a block that is no object are refused with the types that exist', async () => {
  const { put } = await openPage()
  for (const block of [{ type: 'carousel', config: {} }, { config: {} }, 'heading', null, []]) {
    const reply = await put([divider(), block])
    expectProblem(reply, 'blocks[1]')
    expect(reply.body.message).toMatch(/Must (have a type of|be one of) heading, text, image/)
  }
  const { message } = (await put([{ type: 'headin', config: {} }])).body
  expect(message).toMatch(/blocks\[0\]\.type: Must be one of heading, .*form_submit, not "headin"\.$/)
  expectProblem(await put({ type: 'heading' }), 'blocks: Must be an array')
})

test('every problem of every block is reported at once', async () => {
  const { put } = await openPage()
  const { body } = await put([heading(''), divider(), heading('x', { level: 0, color: 'red' })])
  expect(body.details.fieldErrors).toEqual({
    'blocks[0].config.text': ['Must be 1 to 300 characters, not blank'],
    'blocks[2].config.level': ['Must be at least 1'],
    'blocks[2].config.color': ['Must be a colour such as #1a2b3c'],
  })
})

describe('texts', () => {
  const textOf = async (text: unknown) => {
    const { put } = await openPage()
    const { status, body } = await put([heading(text)])
    return status === 200 ? body.blocks[0].config.text : body.details.fieldErrors
  }

  test('are one text or one per language, trimmed, with any characters', async () => {
    expect(await textOf(' 🏭 Ofen ')).toBe('🏭 Ofen')
    expect(await textOf('مرحبا بكم \u200f!')).toBe('مرحبا بكم \u200f!')
    expect(await textOf('<script>alert(1)</script> & "{{object.name|Maschine}}"')).toContain('<script>')
    const all = { en: 'One', ja: '一', de: 'Eins', ko: '하나', zh: '一', no: 'En' }
    expect(await textOf(all)).toEqual(all)
    expect(await textOf('🏭'.repeat(300))).toHaveLength(600)
  })

  test('errors say what a text can be, and in which language it is wrong', async () => {
    const path = 'blocks[0].config.text'
    const kinds = expect.stringMatching(/^Must be a text, or an object of texts by language/)
    for (const text of [5, null, []]) expect(await textOf(text)).toEqual({ [path]: [kinds] })
    expect(await textOf({ de: 5, en: null })).toEqual({
      [`${path}.de`]: ['Must be a string'],
      [`${path}.en`]: ['Must be a string'],
    })
    expect(await textOf({ xx: 'One' })).toEqual({
      [`${path}.xx`]: [expect.stringMatching(/^Must be a language tag such as de, pt-BR/)],
    })
    expect(await textOf({})).toEqual({ [path]: ['Must have a text in at least one language'] })
    expect(await textOf({ en: 'One', de: '🏭'.repeat(301) })).toEqual({
      [`${path}.de`]: ['Must be 1 to 300 characters, not blank'],
    })
    expect(await textOf('a\0b')).toEqual({ [path]: ['Must not contain U+0000 or an unpaired surrogate'] })
  })

  test('can be in any language, under its canonical tag, and two spellings of one are refused', async () => {
    const path = 'blocks[0].config.text'
    expect(await textOf({ 'zh-hant': '一', 'pt-br': 'Um', iw: 'אחת' })).toEqual({
      'zh-Hant': '一',
      'pt-BR': 'Um',
      he: 'אחת',
    })
    expect(await textOf({ iw: 'אחת', en: 'One', he: 'אחד' })).toEqual({
      [`${path}.he`]: ['Is the same language as iw'],
    })
    expect(await textOf({ jp: '一', '': 'x', de: 'Eins', 'de-x-formal': 'Eins' })).toEqual({
      [`${path}.jp`]: [expect.stringMatching(/^Must be a language tag such as/)],
      [`${path}[""]`]: [expect.stringMatching(/^Must be a language tag such as/)],
      [`${path}.de-x-formal`]: [expect.stringMatching(/^Must be a language tag such as/)],
    })
  })

  test('fields whose names could be tags are not languages', async () => {
    const { put } = await openPage()
    const image = { type: 'image', config: { url: URL, alt: 'A press' } }
    const date = { type: 'form_date', config: { ...FIELD, min: '2026-01-01', max: '2026-12-31' } }
    expect((await put([image, date])).body.languages).toEqual(['en'])
  })

  test('a page has at most 50 languages', async () => {
    const { acme, path, put } = await openPage()
    const words = (count: number, from = 1001) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`de-${from + n}`, 'Eins']))
    const named = (count: number) =>
      Object.fromEntries(Object.keys(words(count)).map((tag) => [tag, { title: 'Eins' }]))
    const full = await put([heading(words(49))])
    expect(full.body.languages).toEqual(['en', ...Object.keys(words(49))])
    const problem = (count: number) => [`A page can have at most 50 languages. It would have ${count}`]
    const refusals: [Promise<Reply>, object][] = [
      [put([heading(words(51))]), { 'blocks[0].config.text': ['Must have at most 50 languages'] }],
      [put([heading(words(30)), heading(words(30, 2001))]), { blocks: problem(61) }],
      [acme.patch(path, { translations: { fr: {} } }), { translations: problem(51) }],
      [acme.patch(path, { translations: named(51) }), { translations: ['Must have at most 50 languages'] }],
      [acme.patch(path, { default_language: 'fr', translations: { en: {} } }), { translations: problem(51) }],
      [acme.post('/v1/pages', { title: 'X', translations: named(50) }), { translations: problem(51) }],
      [acme.post('/v1/pages', { title: 'X', blocks: [heading(words(50))] }), { blocks: problem(51) }],
      [
        acme.post('/v1/pages', { title: 'X', template: 'feedback', translations: named(50) }),
        { translations: problem(66) },
      ],
    ]
    for (const [sent, fieldErrors] of refusals) {
      const { body } = await sent
      expect([body.error, body.details.fieldErrors]).toEqual(['invalid_payload', fieldErrors])
    }
    expect((await acme.get(path)).body).toEqual(full.body)
    expect((await acme.patch(path, { default_language: 'de-1001' })).body.languages).toHaveLength(49)
    const translated = await acme.patch(path, { default_language: 'fr', translations: {} })
    expect(translated.body.languages).toHaveLength(50)
  })

  test('the languages of a page are its default language and all that its texts have', async () => {
    const { acme, path, put, created } = await openPage()
    expect(created.languages).toEqual(['en'])
    expect((await put([heading({ sv: 'Ett', de: 'Eins' })])).body.languages).toEqual(['en', 'de', 'sv'])
    const option = { value: 'a', label: { ja: '一' } }
    expect((await put([{ type: 'form_radio', config: { ...FIELD, options: [option] } }])).body.languages).toEqual([
      ...['en', 'ja'],
    ])
    const patched = await acme.patch(path, { default_language: 'it', translations: { fr: { title: 'Soin' } } })
    expect(patched.body.languages).toEqual(['ja', 'fr', 'it'])
    const others = await put([heading({ 'pt-br': 'Um', he: 'אחת', ar: 'واحد', cs: 'Jedna' })])
    expect(others.body.languages).toEqual(['fr', 'it', 'ar', 'cs', 'he', 'pt-BR'])
  })
})

describe('form fields', () => {
  test('have unique names, which do not begin with _wm_', async () => {
    const { put } = await openPage()
    expectProblem(await put([input('a'), input('b'), input('a')]), 'blocks[2].config.name: Two fields have this name')
    const hidden = { type: 'form_hidden', config: { name: 'a' } }
    expectProblem(await put([input('a'), hidden]), 'blocks[1].config.name: Two fields have this name')
    expectProblem(await put([input('_wm_key')]), 'blocks[0].config.name: Must not begin with _wm_')
    for (const name of ['', 'ü', 'a/b', 'x'.repeat(65)]) {
      expectProblem(await put([input(name)]), 'blocks[0].config.name: Must be 1 to 64 of the characters')
    }
    expect((await put([input('a'), input('A'), input('wm_a'), input('__proto__')])).status).toBe(200)
  })

  test('a page has at most one form_submit block', async () => {
    const submit = { type: 'form_submit', config: { label: 'Send' } }
    expectProblem(await (await openPage()).put([submit, divider(), submit]), 'blocks[2].type: A page has at most one')
  })

  test('limits that contradict each other are refused', async () => {
    const { put } = await openPage()
    const field = (type: string, config: object) => put([{ type, config: { ...FIELD, ...config } }])
    const contradiction = 'blocks[0].config.max: Must not be less than min'
    expectProblem(await field('form_text', { min: 5, max: 4 }), contradiction)
    expectProblem(await field('form_number', { min: 0.2, max: 0.1 }), contradiction)
    expectProblem(await field('form_date', { min: '2026-02-01', max: '2026-01-31' }), contradiction)
    expectProblem(await field('form_checkbox', { options: OPTIONS, min: 2, max: 1 }), contradiction)
    expectProblem(
      await field('form_checkbox', { options: OPTIONS, min: 3 }),
      'blocks[0].config.min: Must not be more than',
    )
    expect((await field('form_number', { min: 1, max: 1 })).status).toBe(200)
  })

  test('a pattern that is invalid, uses look-around or repeats too much is refused', async () => {
    const { put } = await openPage()
    const pattern = (...patterns: string[]) => put(patterns.map((pattern, n) => input(`f${n}`, { pattern })))
    for (const invalid of ['(', '[', 'a{2,1}', '(?=a)', '(?<!a)b', '(a)\\1', '\\k<a>', '(?i)a', '*', '[a&&&b]']) {
      expectProblem(await pattern(invalid), 'blocks[0].config.pattern: Must be a regular expression without')
    }
    const tooLarge = 'The patterns of the page repeat too much'
    expectProblem(await pattern('(.?){1000}'), `blocks[0].config.pattern: ${tooLarge}`)
    const large = '(?:.?){400}'
    expect((await pattern(large, large)).status).toBe(200)
    expectProblem(await pattern(large, large, large, large), `blocks[2].config.pattern: ${tooLarge}`)
    // Catastrophic for engines that go back. Here they are matched in linear time.
    expect((await pattern('(a+)+$', '(a|aa)+', '([a-zA-Z]+)*', '\\p{L}+')).status).toBe(200)
  })
})

describe('a button', () => {
  const button = (config: object) => ({ type: 'button', config: { label: 'Manual', ...config } })

  test('has either a URL or a destination', async () => {
    const { acme, put, created } = await openPage()
    const base = (await acme.post('/v1/knowledge-bases', { name: 'Care' })).body
    const problem = 'blocks[0].config.url: Must have either url or destination'
    for (const config of [
      {},
      { url: null, destination: null },
      { destination: {} },
      { url: URL, destination: { page: created.id } },
    ]) {
      expectProblem(await put([button(config)]), problem)
    }
    const { body } = await put([
      button({ url: URL }),
      button({ destination: { knowledge_base: base.id } }),
      button({ destination: { type: 'page', page: created.id } }),
    ])
    const none = { type: null, chatbot: null, page: null, knowledge_base: null, url: null }
    expect(body.blocks.map(({ config }: any) => config.destination)).toEqual([
      null,
      { ...none, type: 'knowledge_base', knowledge_base: base.id },
      { ...none, type: 'page', page: created.id },
    ])
    expect((await put(body.blocks.map(({ sort_order: _, ...block }: any) => block))).body).toEqual(body)
  })

  test("another organisation's destination is refused, with the block that has it", async () => {
    const { put, created, get } = await openPage()
    const foreign = (await openPage()).created.id
    for (const id of [foreign, '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11']) {
      const reply = await put([divider(), button({ destination: { page: id } })])
      expect(reply).toMatchObject({ status: 422, body: { error: 'unprocessable' } })
      expect(reply.body.details).toMatchObject({ field: 'blocks[1].config.destination.page', value: id })
    }
    expect(await get()).toEqual(created)
  })
})

describe('replacing blocks', () => {
  test('keeps blocks whose id is sent, in the new order, and removes the others', async () => {
    const { put, created, get } = await openPage([heading('One'), heading('Two'), heading('Three')])
    const [one, two, three] = created.blocks.map(({ id }: any) => id)
    const { body } = await put([
      { ...heading('Last'), id: three.toUpperCase() },
      heading('New'),
      { ...divider(), id: one },
    ])
    expect(body.blocks).toMatchObject([
      { id: three, sort_order: 0, config: { text: 'Last' } },
      { id: expect.any(String), sort_order: 1 },
      { id: one, sort_order: 2, type: 'divider' },
    ])
    expect([one, two, three]).not.toContain(body.blocks[1].id)
    expect((await put([{ ...heading('Two'), id: two }])).status).toBe(400)
    expect((await put([])).body.blocks).toEqual([])
    expect((await get()).blocks).toEqual([])
  })

  test("an id of another page's block, an unknown one and one sent twice are refused", async () => {
    const { acme, put, created } = await openPage([divider()])
    const other = (await acme.post('/v1/pages', { title: 'Other', blocks: [divider()] })).body.blocks[0].id
    const own = created.blocks[0].id
    expectProblem(await put([{ ...divider(), id: other }]), 'blocks[0].id: The page has no block with this id')
    expectProblem(await put([{ ...divider(), id: 'x' }]), 'blocks[0].id: Must be a UUID')
    const twice = [{ ...divider(), id: own }, divider(), { ...divider(), id: own }]
    expectProblem(await put(twice), 'blocks[2].id: Two blocks have this id')
    const created2 = await acme.post('/v1/pages', { title: 'Third', blocks: [{ ...divider(), id: own }] })
    expectProblem(created2, 'blocks[0].id: The page has no block with this id')
  })

  test('a page has at most 100 blocks and 256 KiB', async () => {
    const { put } = await openPage()
    const many = (count: number, block: object) => Array.from({ length: count }, () => block)
    expect((await put(many(100, divider()))).body.blocks).toHaveLength(100)
    expectProblem(await put(many(101, divider())), 'blocks: Must have at most 100 items')
    const long = { type: 'text', config: { text: '🏭'.repeat(5000) } }
    expect((await put(many(12, long))).status).toBe(200)
    expectProblem(await put(many(14, long)), 'blocks: Must be at most 256 KiB')
  })

  test('two requests at once: one list wins as a whole, and both are events', async () => {
    const { acme, put, get } = await openPage()
    const lists = Array.from({ length: 6 }, (_, n) => Array.from({ length: n + 1 }, (_, k) => heading(`${n} ${k}`)))
    const replies = await Promise.all(lists.map((list) => put(list)))
    expect(replies.map(({ status }) => status)).toEqual(lists.map(() => 200))
    const { blocks } = await get()
    const [first] = blocks[0].config.text.split(' ')
    expect(blocks.map(({ config }: any) => config.text)).toEqual(
      Array.from({ length: Number(first) + 1 }, (_, k) => `${first} ${k}`),
    )
    const events = (await acme.get('/v1/events?type=page.updated')).body.data
    expect(events).toHaveLength(lists.length)
    // Each change starts from the result of the one before it.
    const byFrom = new Map(
      events.map(({ data }: any) => [JSON.stringify(data.changes.blocks.from), data.changes.blocks.to]),
    )
    let current: unknown = []
    for (let n = 0; n < lists.length; n++) current = byFrom.get(JSON.stringify(current))
    expect(current).toEqual(blocks)
  })
})
