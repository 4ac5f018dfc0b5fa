import { expect, test } from 'vitest'
import { compose } from './compose.ts'

const APP_URL = 'https://acme.example'

test('a mail has the link of its kind with the token, and leaves out what is not known', () => {
  const letter = compose('invitation', 'en', { token: 'abc', organisation: 'Acme' }, APP_URL)
  expect(letter.subject).toBe('Join Acme on Waymark')
  expect(letter.link.url).toBe('https://acme.example/account/invitation?token=abc')
  expect(letter.facts).toEqual([])
  const notice = compose('new_device', 'en', { device: '', address: '192.0.2.1' }, APP_URL)
  expect(notice.facts).toEqual([{ label: 'IP address', value: '192.0.2.1' }])
})

test('times are in universal time and in the language of the mail', () => {
  const [time] = compose('new_device', 'de', { time: '2026-11-17T08:05:00.000+00:00' }, APP_URL).facts
  expect(time).toEqual({ label: 'Zeit', value: '17. November 2026 um 08:05 UTC' })
})

test('a name can neither begin a line nor turn the text around, and keeps its own letters', () => {
  const organisation = 'Acme\r\nBcc: x@evil.example\u202e\u2066 עברית 🎉\u2028'
  const { subject, text } = compose('invitation', 'en', { token: 'abc', organisation }, APP_URL)
  expect(subject).toBe('Join Acme Bcc: x@evil.example עברית 🎉 on Waymark')
  expect(text).not.toMatch(/[\r\n\u2028\u202e\u2066]/)
})

test('a mail about a submission has the title of the page, the number and the answers, which cannot begin a line', () => {
  const answers = [{ label: 'What\nhappened?', value: 'Leak\r\nBcc: x@evil.example\u202e' }]
  const letter = compose(
    'submission',
    'en',
    { page: 'Report a fault', number: 7, answers, submissionId: '0197' },
    APP_URL,
  )
  expect(letter.subject).toBe('New submission 7: Report a fault')
  expect(letter.link.url).toBe(`${APP_URL}/account/submission?id=0197`)
  expect(letter.facts).toEqual([{ label: 'What happened?', value: 'Leak Bcc: x@evil.example' }])
})

test('a mail to a visitor has its own link and the beginning of the answer', () => {
  const url = 'https://go.acme.example/c/k7Qm2XvB9sTe?resume=abc'
  const letter = compose('conversation_reply', 'en', { organisation: 'Acme', answer: 'Hello\r\nthere', url }, APP_URL)
  expect(letter.subject).toBe('Acme has answered you')
  expect(letter.link).toEqual({ label: 'Continue the conversation', url })
  expect(letter.facts).toEqual([{ label: 'Answer', value: 'Hello there' }])
})
