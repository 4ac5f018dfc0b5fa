import { afterAll, expect, test } from 'vitest'
import { newId, type OrgId } from '../ids/index.ts'
import { createMarkdown, TaskLimitExceeded } from './index.ts'

const [ORG, OTHER] = [newId() as OrgId, newId() as OrgId]
const markdown = createMarkdown(2)
afterAll(() => markdown.close())

test('renders the same text to the same output every time', async () => {
  const text = '# Care\n\n# Care\n\n[a](#care) ![b](b.png)\n\n| c |\n|---|\n| d |'
  const first = await markdown.toHtml(ORG, text)
  expect(first).toContain('<h2 id="h-care">Care</h2>')
  for (let again = 0; again < 2; again++) expect(await markdown.toHtml(ORG, text)).toBe(first)
  expect(await markdown.toPlain(ORG, text)).toEqual({ text: 'Care Care a b c d', warnings: [] })
})

test('rejects a text that renders too slowly, as HTML and as plain text, and renders the next one', async () => {
  const slow = '<b>'.repeat(170_000)
  await Promise.all([
    expect(markdown.toHtml(ORG, slow)).rejects.toThrow(TaskLimitExceeded),
    expect(markdown.toPlain(OTHER, slow)).rejects.toThrow(TaskLimitExceeded),
  ])
  expect(await markdown.toPlain(ORG, 'next')).toMatchObject({ text: 'next' })
})
