import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { TestSmtpServer } from '../../testing/world/smtp-server.ts'
import { type Letter, Mailer, RecipientRefused } from './index.ts'

const server = await TestSmtpServer.start()
const mailer = await Mailer.open(server.settings)
afterAll(async () => {
  mailer.close()
  await server.close()
})

const letter = (more: Partial<Letter> = {}): Letter => ({
  language: 'en',
  subject: 'Hello',
  text: 'Something happened.',
  facts: [{ label: 'Browser', value: 'Firefox, Linux' }],
  link: { label: 'Open', url: 'https://acme.example/account?token=abc' },
  hint: 'Ignore it.',
  footer: 'Sent by Waymark.',
  ...more,
})

async function send(to: string, more: Partial<Letter> = {}) {
  await mailer.send({ id: 'mail-1', to, letter: letter(more) })
  return server.received.at(-1) as (typeof server.received)[number]
}

test('sends text and HTML with the same content, says that no person wrote it, and keeps the link whole', async () => {
  const mail = await send('kim@acme.example', { text: 'Überraschung für 김 und 🎉 עברית' })
  expect(mail.to).toEqual(['kim@acme.example'])
  expect(mail.headers.get('auto-submitted')).toEqual(['auto-generated'])
  expect(mail.headers.get('message-id')).toEqual(['<mail-1@acme.example>'])
  expect(mail.headers.get('from')).toEqual(['Acme <no-reply@acme.example>'])
  expect(mail.text).toContain('\nhttps://acme.example/account?token=abc\n')
  for (const body of [mail.text, mail.html]) {
    for (const content of ['Überraschung für 김 und 🎉 עברית', 'Firefox, Linux', 'Ignore it.', 'Sent by Waymark.'])
      expect(body).toContain(content)
  }
  expect(mail.html).toContain('href="https://acme.example/account?token=abc"')
  expect(mail.html, 'loads nothing').not.toMatch(/src=|<img|<link|<script|url\(/)
})

test('no value becomes a header, a recipient or markup', async () => {
  const evil = 'Acme\r\nBcc: victim@evil.example\r\n\r\n<script>alert(1)</script>\u2028X-Evil: 1'
  const mail = await send('kim@acme.example', { subject: evil, text: evil, facts: [{ label: 'Name', value: evil }] })
  expect(mail.to).toEqual(['kim@acme.example'])
  expect([...mail.headers.keys()].sort()).toEqual([
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  expect(mail.headers.get('subject')).toHaveLength(1)
  expect(mail.subject).toContain('Acme Bcc: victim@evil.example')
  expect(mail.html).not.toContain('<script>')
})

test.each([
  'kim@acme.example\r\nBcc: x@evil.example',
  'kim@acme.example, x@evil.example',
  'kim@acme.example>\r\nRCPT TO:<x@evil.example',
])('an address with more than an address in it reaches nobody else: %j', async (to) => {
  const before = server.received.length
  await mailer.send({ id: 'mail-2', to, letter: letter() }).catch(() => {})
  const addresses = server.received.slice(before).flatMap(({ to: recipients }) => recipients)
  expect(addresses).not.toContain('x@evil.example')
  for (const { headers } of server.received.slice(before)) expect(headers.has('bcc')).toBe(false)
})

test('only a permanent refusal of the recipient is final', async () => {
  for (const [reply, isFinal] of [
    [550, true],
    [451, false],
    [421, false],
  ] as const) {
    server.reply = reply
    const error = await mailer.send({ id: 'mail-3', to: 'kim@acme.example', letter: letter() }).catch((e) => e)
    expect(error).toBeInstanceOf(Error)
    expect(error instanceof RecipientRefused, String(reply)).toBe(isFinal)
  }
  server.reply = 250
  await send('kim@acme.example')
})

test('gives up on a server that answers a byte at a time, and can then send again', async () => {
  const sockets = new Set<Socket>()
  const drip = createServer((socket) => {
    sockets.add(socket)
    const timer = setInterval(() => socket.write('2'), 10)
    socket.on('close', () => clearInterval(timer)).on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(drip, 'listening')
  const { port } = drip.address() as AddressInfo
  const impatient = await Mailer.open({ ...server.settings, smtpUrl: `smtp://127.0.0.1:${port}` }, 200)
  await expect(impatient.send({ id: 'mail-4', to: 'kim@acme.example', letter: letter() })).rejects.toThrow()
  await expect(impatient.send({ id: 'mail-5', to: 'kim@acme.example', letter: letter() })).rejects.toThrow()
  expect(sockets.size).toBe(2)
  impatient.close()
  for (const socket of sockets) socket.destroy()
  drip.close()
})
