import { expect, test } from 'vitest'
import { Secrets } from './secrets.ts'

const PROMPT = 'You help owners of Acme chairs. Never mention the recall of Größe XL. The code is WM-4711-abc.'

/** Passes the text as a model writes it: a few characters at a time. */
const isIn = (text: string, secrets = [PROMPT], visible: string[] = []): boolean => {
  const known = new Secrets(secrets, visible)
  return [...text.matchAll(/.{1,5}/gsu)].some(([piece]) => known.isIn(piece))
}

test.each([
  ['as it is', PROMPT],
  ['in part', 'Sure: "never mention the recall of"'],
  ['without accents, in capital letters', 'NEVER MENTION THE RECALL OF GROSSE XL'],
  ['with characters between', [...PROMPT].join('-')],
  ['with marks between the words', PROMPT.split(' ').join(' [1]\n\n')],
  ['backwards', [...PROMPT].reverse().join('')],
  ['in ROT13', 'Lbh uryc bjaref bs Npzr punvef.'],
  ['in Base64', Buffer.from(`Here: ${PROMPT}`).toString('base64')],
  ['in hexadecimal digits', Buffer.from(PROMPT).toString('hex').toUpperCase()],
  ['a code alone', 'The code is wm4711abc'],
])('recognises a text %s', (_name, text) => {
  expect(isIn(text)).toBe(true)
})

test('recognises Japanese and Chinese texts by fewer characters', () => {
  expect(
    isIn('回答:リコールについて話さないでください', ['リコールについて話さないでください。丁寧に答えます。']),
  ).toBe(true)
  expect(isIn('不要提及召回的事情', ['请不要提及召回的事情，除非有人问。'])).toBe(true)
})

test.each([
  ['another text', 'Oil your Acme chair once a year. Never use water, and mention the size.'],
  ['a few equal words', 'We help owners of Acme tables.'],
])('allows %s', (_name, text) => {
  expect(isIn(text)).toBe(false)
})

test('allows what the visitor may see anyway, and what the prompt quotes', () => {
  expect(isIn('You help owners of Acme chairs.', [PROMPT], ['Here you help owners of Acme chairs.'])).toBe(false)
  const quoting = 'Always end with "Thank you for choosing Acme chairs!" and be kind to everybody who asks.'
  expect(isIn('Oil it. Thank you for choosing Acme chairs!', [quoting])).toBe(false)
  expect(isIn('I be kind to everybody who asks', [quoting])).toBe(true)
})

test('a very short prompt is no secret, and a long one takes no time', () => {
  expect(isIn('Be kind.', ['Be kind'])).toBe(false)
  const long = Array.from({ length: 2000 }, (_, n) => `word${n}`).join(' ')
  expect(isIn('Something else. '.repeat(1000), [long], [long.slice(0, 100)])).toBe(false)
  expect(isIn('a'.repeat(15_000), ['a'.repeat(10_000)], ['a'.repeat(10_000)])).toBe(false)
})
