import { Counter, Gauge } from 'prom-client'
import { type Clock, SECOND_MS } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ClaimedWork, type Turn } from '../../../platform/jobs/claimed-work.ts'
import { CONNECTIONS_MAX, Mailer, type MailSettings, RecipientRefused } from '../../../platform/mail/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import {
  BEFORE_ALL,
  type ClaimedMail,
  claimMail,
  countMails,
  findNextCause,
  MAILS_TOPIC,
  type SendingServices,
  settleFailed,
  settleSent,
} from '../mails/index.ts'

interface WorkerServices extends SendingServices {
  clock: Clock
  log: Logger
  metrics: Pick<Metrics, 'registry'>
}

/** Polling finds what is not announced: retries, and mails that a crashed worker had claimed. */
const POLL_MS = SECOND_MS
/** On shutdown, mails in progress have this long. Then they fail, and are sent again after the next start. */
const CLOSE_MS = 2 * SECOND_MS

const FAILURES = { claim: 'failed to look for due mails', work: 'failed to store what became of a mail' }

/** Sends waiting mails. Returns a function that stops it. */
export async function startMail(services: WorkerServices, settings: MailSettings): Promise<() => Promise<void>> {
  const sender = new Sender(services, await Mailer.open(settings))
  return () => sender.close()
}

/**
 * Organisations and people take turns, in the order of their IDs: a turn is one mail. So one mail of one organisation does
 * not wait for a thousand of another. Only some are sent at a time, so a slow server slows nothing else down.
 */
class Sender {
  readonly #services: WorkerServices
  readonly #mailer: Mailer
  readonly #mails: Counter<'outcome'>
  readonly #stopListening: () => void
  readonly #work: ClaimedWork
  #lastCause = BEFORE_ALL
  /** An outage is logged once, not for every mail. */
  #hasFailed = false

  constructor(services: WorkerServices, mailer: Mailer) {
    const { database, metrics } = services
    this.#services = services
    this.#mailer = mailer
    this.#mails = new Counter({
      name: 'waymark_mails_total',
      help: 'Attempts to send a mail, by their outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    })
    watchWaiting(database, metrics)
    this.#work = new ClaimedWork({
      runningMax: CONNECTIONS_MAX,
      pollMs: POLL_MS,
      takeTurn: () => this.#takeTurn(),
      failed: (error, step) => this.#logFailure({ err: error }, FAILURES[step]),
    })
    const wake = () => this.#work.wake()
    this.#stopListening = database.listen({
      changed: (topic) => {
        if (topic === MAILS_TOPIC) wake()
      },
      interrupted: () => {},
      resumed: wake,
    })
    wake()
  }

  async close(): Promise<void> {
    this.#stopListening()
    const timer = setTimeout(() => this.#mailer.close(), CLOSE_MS)
    await this.#work.close()
    clearTimeout(timer)
    this.#mailer.close()
  }

  async #takeTurn(): Promise<Turn> {
    const { database, clock } = this.#services
    const causeId = await findNextCause(database, this.#lastCause, clock())
    if (causeId === undefined) return { isDue: false }
    this.#lastCause = causeId
    const mail = await claimMail(this.#services, causeId, clock())
    return { isDue: true, work: mail && (() => this.#send(mail)) }
  }

  async #send(mail: ClaimedMail): Promise<void> {
    const { database, clock, log } = this.#services
    const { id, kind, attempts, recipient, letter } = mail
    try {
      await this.#mailer.send({ id, to: recipient, letter })
    } catch (error) {
      const isRefused = error instanceof RecipientRefused
      const outcome = await settleFailed(database, mail, isRefused, clock())
      this.#mails.inc({ outcome })
      const facts = { mail_id: id, kind, attempts, ...describe(isRefused ? error.cause : error) }
      if (outcome === 'given_up') log.warn(facts, 'gave up on a mail')
      else this.#logFailure(facts, 'a mail could not be sent, it is tried again later')
      return
    }
    this.#hasFailed = false
    this.#mails.inc({ outcome: 'sent' })
    await settleSent(database, mail)
  }

  #logFailure(facts: object, message: string): void {
    if (!this.#hasFailed) this.#services.log.error(facts, message)
    this.#hasFailed = true
  }
}

/** Leaves out the message: servers repeat the address of the recipient in it. */
function describe(error: unknown): object {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return { code, command, response_code: responseCode }
}

function watchWaiting(database: Database, { registry }: Pick<Metrics, 'registry'>): void {
  new Gauge({
    name: 'waymark_mails_waiting',
    help: 'Mails that are not sent yet.',
    registers: [registry],
    async collect() {
      // While the database does not respond, the last number is better than no metrics at all.
      const waiting = await countMails(database.readLong).catch(() => undefined)
      if (waiting !== undefined) this.set(waiting)
    },
  })
}
