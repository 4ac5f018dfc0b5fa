import { expect, test } from 'vitest'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { NO_BRAND } from '../../../../platform/look/index.ts'
import type { Block } from '../../blocks/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import type { FormState } from '../form-state.ts'
import { TEXTS } from '../texts.ts'
import { renderPage } from './render-page.ts'
import { View } from './view.ts'

const spacings = { spacing_top: 0, spacing_bottom: 16, spacing_left: 0, spacing_right: 0 }
const field = (n: number, type: string, config: object): Block =>
  ({
    ...{ id: newId(), sort_order: n, type, ...spacings },
    config: { label: `Label ${n}`, name: `field${n}`, required: true, help: `Help ${n}`, placeholder: null, ...config },
  }) as unknown as Block

const OPTIONS = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
]

const BLOCKS = [
  field(0, 'form_text', { min: 2, max: 9, pattern: '[a-z]+' }),
  field(1, 'form_textarea', { min: null, max: null, rows: 4 }),
  field(2, 'form_select', { options: OPTIONS }),
  field(3, 'form_radio', { options: OPTIONS }),
  field(4, 'form_checkbox', { options: OPTIONS, min: null, max: null }),
  field(5, 'form_switch', { default: true }),
  field(6, 'form_rating', { max: 5 }),
  field(7, 'form_media', { accept: ['image', 'pdf'], max_files: 3, max_size_mb: 5 }),
]

const PAGE: PublicPage = {
  ...{
    id: newId(),
    orgId: newId() as OrgId,
    orgName: 'Acme',
    orgLogoUrl: null,
    brand: NO_BRAND,
    publicSlug: 'aB3dE5gHjK2m',
    revision: '1',
    status: 'active',
  },
  ...{ title: 'Form', faviconUrl: null, metaTitle: null, metaDescription: null, ogImageUrl: null, translations: {} },
  ...{ defaultLanguage: 'en', languages: ['en'], proofOfWork: 'automatic', notifyUserIds: [] },
  background: { type: 'color', value: '#fbf8f3', animated: false, locked: false },
  island: { color: '#ffffff', opacity: 1, shadow: 'none', roundness: 16 },
  blocks: BLOCKS,
}

function render(form: FormState | null): string {
  const shown = {
    language: 'en',
    interfaceLanguage: 'en' as const,
    scanned: null,
    facts: new Map<string, string>(),
    form,
  }
  return renderPage(new View({ page: PAGE, links: new Map() }, shown, new Map(), () => null), 'https://acme.com').body
}

test('fields have labels, help and the limits that browsers check', () => {
  const text = render(null)
  expect(text).toContain('<form method="post" action="/p/aB3dE5gHjK2m?lang=en" enctype="multipart/form-data"')
  expect(text).toContain('<label for="f0" dir="auto">Label 0 <span class="star" aria-hidden="true">*</span></label>')
  expect(text).toMatch(
    /<input class="in" id="f0" name="field0" aria-describedby="f0-h f0-e" type="text" value="" dir="auto" required minlength="2" maxlength="9" pattern="\[a-z\]\+">/,
  )
  expect(text).toContain('accept="image/*,application/pdf" multiple required data-wm-files="5" data-wm-files-max="3"')
  expect(text).toContain('value="on" aria-describedby="f5-h f5-e" required checked>')
  expect(text).toContain('aria-label="3 of 5"')
  expect(text).not.toContain('aria-invalid="')
  expect(text).toContain(`<button class="btn">${TEXTS.en.form.send}</button>`)
})

test('a form that is shown again has what was typed, and says what is wrong at each field and above all', () => {
  const file = { id: 'asset', file_name: '<photo>.jpg', media_type: 'image/jpeg', size_bytes: 5, token: 'to"ken' }
  const text = render({
    answers: new Map([
      ['field0', ['"><b>']],
      ['field1', ['\nsecond line</textarea>']],
      ['field2', ['b']],
      ['field3', ['a']],
      ['field4', ['a', 'b']],
      ['field6', ['4']],
      ['field7', ['asset']],
    ]),
    problems: [
      { name: 'field0', problem: 'too_short', limit: 2 },
      { name: 'field4', problem: 'too_many', limit: 1 },
      { name: 'unknown', problem: 'required' },
    ],
    files: new Map([['asset', file]]),
    message: 'invalid',
  })
  expect(text).toContain('<li><a href="#f0" dir="auto">Label 0: Please enter at least 2 characters.</a></li>')
  expect(text).toContain('<li><a href="#f4" dir="auto">Label 4: Please choose at most 1 option.</a></li></ul>')
  expect(text).toContain('<p data-problem="too_short" class="on">Please enter at least 2 characters.</p></div>')
  expect(text.match(/class="on"/g)).toHaveLength(2)
  expect(text).toContain('aria-describedby="f0-h f0-e" aria-invalid="true" type="text" value="&quot;&gt;&lt;b&gt;"')
  expect(text).toContain('>\n\nsecond line&lt;/textarea&gt;</textarea>')
  expect(text).toContain('<option value="b" selected>')
  expect(text).toContain('type="radio" name="field3" value="a" id="f3" checked required>')
  expect(text.match(/name="field4" value="[ab]"[^>]* checked/g)).toHaveLength(2)
  expect(text).toContain('value="4" checked required aria-label="4 of 5"')
  // A switch that was off is not in what the browser sends.
  expect(text).toContain('value="on" aria-describedby="f5-h f5-e" required>')
  expect(text).toContain(
    'name="_wm_file:field7" value="to&quot;ken" checked><span dir="auto">Keep &lt;photo&gt;.jpg</span>',
  )
  expect(text).toContain('multiple data-wm-files="5"')
})

test.each([
  ['too_many', TEXTS.en.form.tooMany],
  ['failed', TEXTS.en.form.failed],
] as const)('says what happened: %s', (message, expected) => {
  const text = render({ answers: new Map([['field0', ['kept']]]), problems: [], files: new Map(), message })
  expect(text).toContain(expected)
  expect(text).toContain('value="kept"')
})
