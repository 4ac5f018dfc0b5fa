import { expect, test } from 'vitest'
import { mailCatalogue } from '../../../main/mail-catalogue.ts'
import { invitationMails } from '../../account/invitations/index.ts'
import { signInMails } from '../../account/sign-in/index.ts'
import { conversationMails } from '../../chat/conversations/index.ts'
import { submissionMails } from '../../pages/submissions/index.ts'
import { compose } from './compose.ts'
import { createCatalogue } from './declaration.ts'
import { MAIL_TEXTS } from './texts.ts'

const APP_URL = 'https://acme.example'
const { invitation } = invitationMails
const { newDevice } = signInMails

test('every mail that has texts is declared', () => {
  expect([...mailCatalogue.keys()].sort()).toEqual(Object.keys(MAIL_TEXTS.en.kinds).sort())
})

test('a mail that is declared twice is an error of the program', () => {
  expect(() => createCatalogue([invitationMails, { again: invitation }])).toThrow('invitation is declared twice')
})

/** Values that earlier releases have stored. Such mails may still be waiting when a new release starts. */
const ORIGIN = { device: 'Firefox, Linux', address: '192.0.2.7', time: '2026-11-17T08:05:00.000+00:00' }
const SINCE = '2026-11-12T08:05:00.000+00:00'
const STORED: Record<keyof typeof MAIL_TEXTS.en.kinds, [values: object, link: string, facts: number]> = {
  invitation: [
    { token: 'abc', invitedBy: 'kim@acme.com', organisation: 'Acme' },
    `${APP_URL}/account/invitation?token=abc`,
    1,
  ],
  reset_password: [{ token: 'abc' }, `${APP_URL}/account/reset-password?token=abc`, 0],
  change_email: [{ token: 'abc' }, `${APP_URL}/account/change-email?token=abc`, 0],
  email_changed: [{ newEmail: 'kim@acme.com', time: SINCE }, `${APP_URL}/account`, 2],
  undo_email_change: [
    { token: 'abc', newEmail: 'kim@acme.com', time: SINCE },
    `${APP_URL}/account/undo-email-change?token=abc`,
    2,
  ],
  confirm_email: [{ token: 'abc' }, `${APP_URL}/account/confirm-email?token=abc`, 0],
  password_changed: [ORIGIN, `${APP_URL}/account/forgot-password`, 3],
  factors_changed: [ORIGIN, `${APP_URL}/account`, 3],
  new_device: [ORIGIN, `${APP_URL}/account`, 3],
  trust_withdrawn: [
    { person: 'kim@acme.com', invitations: 'new@acme.com', apiKeys: '', organisation: 'Acme' },
    `${APP_URL}/account/api-keys`,
    2,
  ],
  endpoint_gone: [
    { endpoint: 'https://acme.com/hook', time: SINCE, organisation: 'Acme' },
    `${APP_URL}/account/webhooks`,
    2,
  ],
  endpoint_failing: [
    { endpoint: 'https://acme.com/hook', since: SINCE, time: SINCE, organisation: 'Acme' },
    `${APP_URL}/account/webhooks`,
    3,
  ],
  credits_low: [{ number: 99, organisation: 'Acme' }, `${APP_URL}/account`, 0],
  credits_reserved: [{ number: 50, organisation: 'Acme' }, `${APP_URL}/account`, 0],
  chatbot_load: [{ chatbot: 'Support', number: 1000, organisation: 'Acme' }, `${APP_URL}/account`, 0],
  credits_empty: [{ number: 0, organisation: 'Acme' }, `${APP_URL}/account`, 0],
  domain_failing: [{ domain: 'go.acme.com', since: SINCE, organisation: 'Acme' }, `${APP_URL}/account/domains`, 1],
  domain_lost: [{ domain: 'go.acme.com', since: SINCE, organisation: 'Acme' }, `${APP_URL}/account/domains`, 1],
  domain_taken_over: [{ domain: 'go.acme.com', organisation: 'Acme' }, `${APP_URL}/account/domains`, 0],
  conversation_waiting: [
    { conversationId: '0197', chatbot: 'Support', question: 'Where?', visitor: 'Kim', organisation: 'Acme' },
    `${APP_URL}/account`,
    2,
  ],
  conversation_reply: [
    { organisation: 'Acme', answer: 'Hello', url: 'https://go.acme.com/c/k7Qm2XvB9sTe?resume=abc' },
    'https://go.acme.com/c/k7Qm2XvB9sTe?resume=abc',
    1,
  ],
  submission: [
    { page: 'Report a fault', number: 7, answers: [{ label: 'Where?', value: 'Hall' }], submissionId: '0197' },
    `${APP_URL}/account/submission?id=0197`,
    1,
  ],
  submission_about: [
    {
      page: 'Report a fault',
      number: 7,
      thing: 'Acme One',
      summary: 'Leak',
      answers: [{ label: 'Where?', value: 'Hall' }],
      submissionId: '0197',
    },
    `${APP_URL}/account/submission?id=0197`,
    1,
  ],
  submission_receipt: [
    { organisation: 'Acme', title: 'Report 7 for Acme One', url: 'https://go.acme.example/p/receipt/abc' },
    'https://go.acme.example/p/receipt/abc',
    0,
  ],
  submission_reply: [
    { organisation: 'Acme', title: 'Report 7', answer: 'Done', url: 'https://go.acme.example/p/receipt/abc' },
    'https://go.acme.example/p/receipt/abc',
    1,
  ],
}

test.each(Object.entries(STORED))('%s is composed from what earlier releases have stored', (kind, stored) => {
  const [values, url, factCount] = stored
  const letter = compose(mailCatalogue.get(kind) as never, 'en', values as never, APP_URL)
  expect(`${letter.subject} ${letter.text}`).not.toMatch(/[{}]/)
  expect(letter.link.url).toBe(url)
  expect(letter.facts).toHaveLength(factCount)
})

test('a mail has the link of its kind with the token, and leaves out what is not known', () => {
  const letter = compose(invitation, 'en', { token: 'abc', organisation: 'Acme' }, APP_URL)
  expect(letter.subject).toBe('Join Acme on Waymark')
  expect(letter.link.url).toBe('https://acme.example/account/invitation?token=abc')
  expect(letter.facts).toEqual([])
  const notice = compose(newDevice, 'en', { device: '', address: '192.0.2.1', time: '' }, APP_URL)
  expect(notice.facts).toEqual([{ label: 'IP address', value: '192.0.2.1' }])
})

test('times are in universal time and in the language of the mail', () => {
  const values = { device: '', address: '', time: '2026-11-17T08:05:00.000+00:00' }
  const [time] = compose(newDevice, 'de', values, APP_URL).facts
  expect(time).toEqual({ label: 'Zeit', value: '17. November 2026 um 08:05 UTC' })
})

test('a name can neither begin a line nor turn the text around, and keeps its own letters', () => {
  const organisation = 'Acme\r\nBcc: x@evil.example\u202e\u2066 עברית 🎉\u2028'
  const { subject, text } = compose(invitation, 'en', { token: 'abc', organisation }, APP_URL)
  expect(subject).toBe('Join Acme Bcc: x@evil.example עברית 🎉 on Waymark')
  expect(text).not.toMatch(/[\r\n\u2028\u202e\u2066]/)
})

test('a mail about a submission has the title of the page, the number and the answers, which cannot begin a line', () => {
  const answers = [{ label: 'What\nhappened?', value: 'Leak\r\nBcc: x@evil.example\u202e' }]
  const values = { page: 'Report a fault', number: 7, answers, submissionId: '0197' }
  const letter = compose(submissionMails.created, 'en', values, APP_URL)
  expect(letter.subject).toBe('New submission 7: Report a fault')
  expect(letter.link.url).toBe(`${APP_URL}/account/submission?id=0197`)
  expect(letter.facts).toEqual([{ label: 'What happened?', value: 'Leak Bcc: x@evil.example' }])
})

test('a mail about something that was scanned says what, and what is wrong with it', () => {
  const what = { page: 'Fault', number: 7, thing: 'Acme One, kitchen', summary: 'Bad prints\r\nBcc: x@evil.example' }
  const letter = compose(submissionMails.about, 'en', { ...what, answers: [], submissionId: '0197' }, APP_URL)
  expect(letter.subject).toBe('Fault at Acme One, kitchen: Bad prints Bcc: x@evil.example')
})

test('a mail to a visitor has its own link and the beginning of the answer', () => {
  const url = 'https://go.acme.example/c/k7Qm2XvB9sTe?resume=abc'
  const values = { organisation: 'Acme', answer: 'Hello\r\nthere', url }
  const letter = compose(conversationMails.reply, 'en', values, APP_URL)
  expect(letter.subject).toBe('Acme has answered you')
  expect(letter.link).toEqual({ label: 'Continue the conversation', url })
  expect(letter.facts).toEqual([{ label: 'Answer', value: 'Hello there' }])
})
