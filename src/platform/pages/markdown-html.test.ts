import { expect, test } from 'vitest'
import type { OrgId } from '../ids/index.ts'
import { TaskLimitExceeded } from '../markdown/index.ts'
import { markdownHtml } from './markdown-html.ts'

const ORG = 'org' as OrgId

const failingWith = (error: Error) => ({ toHtml: () => Promise.reject(error) })

test('wide tables can be scrolled', async () => {
  const markdown = { toHtml: async () => '<table><tr><td>1</td></tr></table>' }
  expect(await markdownHtml(markdown, ORG, '| 1 |')).toMatch(/^<div [^>]*tabindex="0"[^>]*><table>/)
})

test('a text that takes too long is shown as it was written', async () => {
  const shown = await markdownHtml(failingWith(new TaskLimitExceeded()), ORG, '**<b>**')
  expect(shown).toBe('<p class="written">**&lt;b&gt;**</p>')
})

test('other errors are not hidden', async () => {
  await expect(markdownHtml(failingWith(new Error('a bug')), ORG, '')).rejects.toThrow('a bug')
})
