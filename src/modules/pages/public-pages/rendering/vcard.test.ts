import { expect, test } from 'vitest'
import { vcard } from './vcard.ts'

const CONTACT = {
  name: 'Acme',
  organisation: null,
  job_title: null,
  phone: null,
  email: null,
  website: null,
  address: null,
}

test('escapes what would end a value or a line', () => {
  const text = vcard({ ...CONTACT, name: 'A;B,C\\D\r\nEND:VCARD\n\u0007' }, 'x\ny')
  expect(text.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:4.0',
    'FN:A\\;B\\,C\\\\D\\nEND:VCARD\\n',
    'N:A\\;B\\,C\\\\D\\nEND:VCARD\\n;;;;',
    'TITLE:x\\ny',
    'END:VCARD',
    '',
  ])
})

test('folds long lines between characters', () => {
  const lines = vcard({ ...CONTACT, address: '🏷ü'.repeat(100) }, '').split('\r\n')
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(`ADR:;;${'🏷ü'.repeat(100)};;;;`)
})
