import { afterAll, expect, test } from 'vitest'
import { createMarkdown, TooIntricate } from './index.ts'

const markdown = createMarkdown()
afterAll(() => markdown.close())

test('the same text is always rendered the same', async () => {
  const text = '# Care\n\n# Care\n\n[a](#care) ![b](b.png)\n\n| c |\n|---|\n| d |'
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => markdown.toHtml(text)))
  expect(first).toContain('<h2 id="h-care">Care</h2>')
  for (const other of others) expect(other).toBe(first)
  expect(await markdown.toPlain(text)).toBe('Care Care a b c d')
})

test('a text that was written to take long is refused, both ways, and the next is rendered', async () => {
  const slow = '<b>'.repeat(170_000)
  const outcomes = [markdown.toHtml(slow), markdown.toPlain(slow), markdown.toPlain('next')]
  await expect(outcomes[0]).rejects.toThrow(TooIntricate)
  await expect(outcomes[1]).rejects.toThrow(TooIntricate)
  expect(await outcomes[2]).toBe('next')
})
