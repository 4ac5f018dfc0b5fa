import { afterAll, expect, test } from 'vitest'
import { createMarkdown, TaskLimitExceeded } from './index.ts'

const markdown = createMarkdown()
afterAll(() => markdown.close())

test('renders the same text to the same output every time', async () => {
  const text = '# Care\n\n# Care\n\n[a](#care) ![b](b.png)\n\n| c |\n|---|\n| d |'
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => markdown.toHtml(text)))
  expect(first).toContain('<h2 id="h-care">Care</h2>')
  for (const other of others) expect(other).toBe(first)
  expect(await markdown.toPlain(text)).toBe('Care Care a b c d')
})

test('rejects a text that renders too slowly, as HTML and as plain text, and renders the next one', async () => {
  const slow = '<b>'.repeat(170_000)
  const outcomes = [markdown.toHtml(slow), markdown.toPlain(slow), markdown.toPlain('next')]
  await expect(outcomes[0]).rejects.toThrow(TaskLimitExceeded)
  await expect(outcomes[1]).rejects.toThrow(TaskLimitExceeded)
  expect(await outcomes[2]).toBe('next')
})
