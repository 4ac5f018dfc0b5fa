import type { createTransport, Transporter } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { SECOND_MS } from '../clock/index.ts'
import { type Letter, toHtml, toText } from './letter.ts'
import { CONNECTIONS_MAX, SEND_MS_MAX } from './limits.ts'

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server needs them. Secret. */
  smtpUrl: string
  /** The sender: `name@example.com` or `Name <name@example.com>`. */
  from: string
}

export interface MailMessage {
  /** The same for every attempt, so that a receiver can recognise a repeated message. */
  id: string
  to: string
  letter: Letter
}

/** The server does not accept this recipient, now or later. */
export class RecipientRefused extends Error {}

const STEP_MS = 15 * SECOND_MS

type Transport = Transporter<SMTPPool.SentMessageInfo, SMTPPool.Options>

/** Sends mails to one SMTP server, over a few connections that stay open for a while. */
export class Mailer {
  readonly #settings: MailSettings
  readonly #sendMsMax: number
  readonly #openTransport: () => Transport
  #transport: Transport

  private constructor(settings: MailSettings, sendMsMax: number, openTransport: () => Transport) {
    this.#settings = settings
    this.#sendMsMax = sendMsMax
    this.#openTransport = openTransport
    this.#transport = openTransport()
  }

  /** Loads the library: an installation without a mail server does not need it. */
  static async open(settings: MailSettings, sendMsMax = SEND_MS_MAX): Promise<Mailer> {
    const nodemailer = await import('nodemailer')
    return new Mailer(settings, sendMsMax, () => openTransport(nodemailer.createTransport, settings))
  }

  /** Resolves when the server has accepted the message. Throws `RecipientRefused` if it never will. */
  async send({ id, to, letter }: MailMessage): Promise<void> {
    const { from } = this.#settings
    const transport = this.#transport
    const timer = setTimeout(() => this.#giveUp(transport), this.#sendMsMax)
    try {
      await transport.sendMail({
        messageId: `<${id}@${domainOf(from)}>`,
        from,
        to: { name: '', address: to },
        subject: oneLine(letter.subject),
        text: toText(letter),
        html: toHtml(letter),
        // Out-of-office programs do not reply to it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      throw isRecipientRefused(error) ? new RecipientRefused('the recipient was refused', { cause: error }) : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects, encrypts and signs in as for a message. Rejects if one of these fails. */
  async check(): Promise<void> {
    await this.#transport.verify()
  }

  /** Messages that are being sent fail. */
  close(): void {
    closeNow(this.#transport)
  }

  /** A connection cannot be closed alone. The other messages that it takes along are sent again. */
  #giveUp(transport: Transport): void {
    if (transport === this.#transport) this.#transport = this.#openTransport()
    closeNow(transport)
  }
}

const openTransport = (create: typeof createTransport, { smtpUrl }: MailSettings): Transport =>
  create({
    pool: true,
    url: smtpUrl,
    maxConnections: CONNECTIONS_MAX,
    // Retries are up to the caller, who knows how long the message has been waiting.
    maxRequeues: 0,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as SMTPPool.Options)

/** Its declaration lacks the option. */
const closeNow = (transport: { close(): void }): void =>
  (transport.close as (options: { force: true }) => void)({ force: true })

/** A refused sender or a wrong password are also permanent for the server, but the operator can correct them. */
function isRecipientRefused(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  // Without a response, the library itself does not accept the address.
  return (command === 'RCPT TO' && responseCode >= 500) || (command === 'API' && code === 'EENVELOPE')
}

const domainOf = (from: string): string => /@([^\s@>]+)/.exec(from)?.[1] ?? 'localhost'

const SUBJECT_LENGTH_MAX = 200

/** A line break would begin another header. */
const oneLine = (text: string): string =>
  [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, SUBJECT_LENGTH_MAX).join('').trim()
