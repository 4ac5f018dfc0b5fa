import { expect, test } from 'vitest'
import { toHtml } from './letter.ts'

const LETTER = { subject: 'Acme', text: 'Acme', facts: [], link: { label: 'Acme', url: 'https://acme.example' } }

test.each([
  ['ar', '<html lang="ar" dir="rtl">', '<body dir="rtl"'],
  ['fi', '<html lang="fi">', '<body dir="ltr"'],
])('a mail in %s has the direction of its language, not of its first word', (language, ...parts) => {
  const document = toHtml({ ...LETTER, language, hint: 'Acme', footer: 'Acme' })
  for (const part of parts) expect(document).toContain(part)
})
