import { expect, test } from 'vitest'
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

test('texts of blocks are escaped everywhere', async () => {
  const acme = await harness.createTenant()
  expect(TEXTS.length).toBeGreaterThan(80)
  const created = (await acme.post('/v1/pages', { title: 'Attacked', status: 'active' })).body
  for (const text of TEXTS.filter(isPlain)) {
    const option = { value: text, label: text }
    const field = { label: text, help: text }
    const blocks = [
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
      { type: 'form_text', config: { ...field, name: 'a', placeholder: text } },
      { type: 'form_textarea', config: { ...field, name: 'b', placeholder: text } },
      { type: 'form_select', config: { ...field, name: 'c', placeholder: text, options: [option] } },
      { type: 'form_radio', config: { ...field, name: 'd', options: [option] } },
      { type: 'form_checkbox', config: { ...field, name: 'e', options: [option] } },
      { type: 'form_hidden', config: { name: 'f', value: text } },
      { type: 'form_submit', config: { label: text, success_title: text, success_text: text } },
    ]
    const changed = await acme.put(`/v1/pages/${created.id}/blocks`, { blocks })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await acme.patch(`/v1/pages/${created.id}`, { title: text, meta_description: text })
    for (const path of ['', '/sent']) {
      const reply = await scan(harness, `/p/${created.public_slug}${path}`)
      expect(reply.status).toBe(200)
      expect(reply.text).toContain(escaped(text))
      if (text.length > 3) expect(reply.text.replaceAll(escaped(text), ''), text).not.toContain(text)
    }
  }
})

test('values of placeholders are escaped in texts, Markdown, attributes and addresses', async () => {
  const acme = await harness.createTenant()
  const key = '{{object.properties.key}}'
  const page = (
    await acme.post('/v1/pages', {
      title: `About ${key}`,
      status: 'active',
      blocks: [
        { type: 'heading', config: { text: key, level: 1 } },
        {
          type: 'text',
          config: {
            text: `**${key}** [link](https://acme.com/?a=${key} "${key}") [bare](${key}) ![${key}](https://acme.com/${key})`,
          },
        },
        { type: 'button', config: { label: key, url: `https://acme.com/?a=${key}` } },
        { type: 'form_hidden', config: { name: 'f', value: key } },
      ],
    })
  ).body
  const object = (await acme.post('/v1/objects', { type: 'machine', destination: { page: page.id } })).body
  for (const value of [
    ...TEXTS,
    'javascript:alert(1)',
    '"><script>alert(1)</script>',
    "' onclick='x",
    '{{object.type}}',
  ]) {
    await acme.put(`/v1/objects/${object.id}/properties`, { properties: [{ key: 'key', value }] })
    const { status, text } = await scan(harness, `/o/${object.public_slug}`)
    expect(status).toBe(200)
    const address = encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27')
    expect(text).toContain(`<title>About ${escaped(value)}</title>`)
    expect(text).toContain(`<strong>${escaped(value)}</strong>`)
    expect(text).toContain(`<a href="https://acme.com/?a=${address}" title="${escaped(value)}"`)
    expect(text).toContain(`<a href="${address}"`)
    expect(text).toContain(`name="f" value="${escaped(value)}"`)
    expect(text, value).not.toMatch(/(?:href|src|action)="\s*(?:javascript:|vbscript:|data:(?!,))/i)
    expect(text.match(/<script/g), value).toHaveLength(1)
  }
})
