import { expect, test } from 'vitest'
import { batchesOf } from '../../../platform/db/index.ts'
import { html } from '../../../platform/text/html.ts'
import { ATTACKS } from '../../../testing/data/attacks.ts'
import { scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

/** The attacks that are valid texts (not empty, no U+0000, not too long) and contain special characters. */
const TEXTS = ATTACKS.map((attack) => attack.replaceAll('\0', '').slice(0, 90).trim()).filter((text) =>
  /[<>"'&]/.test(text),
)
const escaped = (text: string) => html`${text}`.toString()
/** A text without placeholders, which would be replaced. */
const isPlain = (text: string) => !/\{\{|%7B/i.test(text)

/** Each text is shown, and nothing of it but its escaped form. */
function expectEscaped({ status, text: page }: { status: number; text: string }, texts: readonly string[]): void {
  expect(status).toBe(200)
  let rest = page
  for (const text of texts.toSorted((one, other) => other.length - one.length)) {
    expect(page).toContain(escaped(text))
    rest = rest.replaceAll(escaped(text), '')
  }
  for (const text of texts) if (text.length > 3) expect(rest, text).not.toContain(text)
}

test('texts of blocks are escaped everywhere', async () => {
  const acme = await harness.createTenant()
  expect(TEXTS.length).toBeGreaterThan(80)
  const created = (await acme.post('/v1/pages', { title: 'Attacked', status: 'active' })).body
  const blocksWith = (text: string, n: number) => {
    const option = { value: text, label: text }
    const field = { label: text, help: text }
    return [
      { type: 'heading', config: { text, level: 1 } },
      { type: 'banner', config: { text, title: text } },
      { type: 'button', config: { label: text, url: 'https://acme.com/' } },
      { type: 'image', config: { url: 'https://acme.com/a.png', alt: text, caption: text } },
      { type: 'video', config: { url: 'https://acme.com/a.mp4', title: text, caption: text } },
      { type: 'file', config: { url: 'https://acme.com/a.pdf', label: text, description: text } },
      {
        type: 'contact',
        config: { name: text, organisation: text, job_title: text, phone: text.slice(0, 50), address: text },
      },
      { type: 'form_text', config: { ...field, name: `a${n}`, placeholder: text } },
      { type: 'form_textarea', config: { ...field, name: `b${n}`, placeholder: text } },
      { type: 'form_select', config: { ...field, name: `c${n}`, placeholder: text, options: [option] } },
      { type: 'form_radio', config: { ...field, name: `d${n}`, options: [option] } },
      { type: 'form_checkbox', config: { ...field, name: `e${n}`, options: [option] } },
      { type: 'form_hidden', config: { name: `f${n}`, value: text } },
    ]
  }
  for (const texts of batchesOf(TEXTS.filter(isPlain), 7)) {
    const [title = ''] = texts
    const submit = { type: 'form_submit', config: { label: title, success_title: title, success_text: title } }
    const changed = await acme.put(`/v1/pages/${created.id}/blocks`, { blocks: [...texts.flatMap(blocksWith), submit] })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await acme.patch(`/v1/pages/${created.id}`, { title, meta_description: title })
    expectEscaped(await scan(harness, `/p/${created.public_slug}`), texts)
    expectEscaped(await scan(harness, `/p/${created.public_slug}/sent`), [title])
  }
})

test('values of placeholders are escaped in texts, Markdown, attributes and addresses', async () => {
  const acme = await harness.createTenant()
  const perPage = 10
  const blocks = Array.from({ length: perPage }, (_, n) => {
    const key = `{{object.properties.key${n}}}`
    const links = `[link](https://acme.com/?a=${key} "${key}") [bare](${key}) ![${key}](https://acme.com/${key})`
    return [
      { type: 'heading', config: { text: key, level: 1 } },
      { type: 'text', config: { text: `**${key}** ${links}` } },
      { type: 'button', config: { label: key, url: `https://acme.com/?a=${key}` } },
      { type: 'form_hidden', config: { name: `f${n}`, value: key } },
    ]
  })
  const title = 'About {{object.properties.key0}}'
  const page = (await acme.post('/v1/pages', { title, status: 'active', blocks: blocks.flat() })).body
  const object = (await acme.post('/v1/objects', { type: 'machine', destination: { page: page.id } })).body
  const others = ['javascript:alert(1)', '"><script>alert(1)</script>', "' onclick='x", '{{object.type}}']
  for (const values of batchesOf([...TEXTS, ...others], perPage)) {
    const properties = values.map((value, n) => ({ key: `key${n}`, value }))
    await acme.put(`/v1/objects/${object.id}/properties`, { properties })
    const { status, text } = await scan(harness, `/o/${object.public_slug}`)
    expect(status).toBe(200)
    expect(text).toContain(`<title>About ${escaped(values[0]!)}</title>`)
    expect(text, values.join('\n')).not.toMatch(/(?:href|src|action)="\s*(?:javascript:|vbscript:|data:(?!,))/i)
    expect(text.match(/<script/g), values.join('\n')).toHaveLength(1)
    for (const [n, value] of values.entries()) {
      const address = encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27')
      expect(text).toContain(`<strong>${escaped(value)}</strong>`)
      expect(text).toContain(`<a href="https://acme.com/?a=${address}" title="${escaped(value)}"`)
      expect(text).toContain(`<a href="${address}"`)
      expect(text).toContain(`name="f${n}" value="${escaped(value)}"`)
    }
  }
})
