import { QueueFull } from '../../../platform/bounded/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { PublicUrlOf } from '../../../platform/http/server/public-url.ts'
import { findName, type ThingName } from '../../codes/scanned-things/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { SUBMISSIONS } from './mails.ts'
import { admitReceiptMail } from './receipts/receipt-mail.ts'
import { type AdmittedForm, PageGone, type ReceivedForm, type ReceivedSubmission, storeForms } from './receive.ts'

interface SubmissionServices {
  database: Database
  mails: Mails
  /** The address that links of an organisation begin with. */
  publicUrlOf: PublicUrlOf
}

interface Waiting extends AdmittedForm, PromiseWithResolvers<ReceivedSubmission> {
  /** The size of its answers. */
  bytes: number
}

interface PageQueue {
  waiting: Waiting[]
  /** The last number of the page, as far as this process knows. */
  lastNumber?: number
  /** Another process takes numbers too, or forms are sent again. Then the page is not trusted until its queue is empty. */
  wasWrong?: true
}

const UNKNOWN: ThingName = { name: null, external_id: null }

/** Limits how long a transaction takes, and how many visitors one that fails makes wait. */
const BATCH_MAX = 64
/** Everything is written several times: as a row, as an event and to the log of the database, for which others wait. */
const BATCH_BYTES_MAX = 64 * 1024

/**
 * Receives what visitors send. The submissions of a page take their numbers from one row, so transactions of a page would
 * wait for each other, and each for the disk. Instead, forms that arrive while one transaction runs are stored together by
 * the next.
 */
export class Submissions {
  readonly #services: SubmissionServices
  /** The keys are pages. A page is here while a transaction of it runs. */
  readonly #queues = new Map<string, PageQueue>()

  constructor(services: SubmissionServices) {
    this.#services = services
  }

  /** Resolves when the submission is stored. Throws `PageGone` if the page was deleted, and `FilesGone` if a file was. */
  async receive(form: ReceivedForm): Promise<ReceivedSubmission> {
    const bytes = JSON.stringify(form.data).length
    const waiting: Waiting = { ...(await this.#admit(form)), bytes, ...Promise.withResolvers() }
    const queue = this.#queues.get(form.page.id)
    if (queue === undefined) {
      this.#queues.set(form.page.id, { waiting: [waiting] })
      // Those that arrive in the same turn of the event loop need not wait for a transaction of the first.
      setImmediate(() => void this.#storeAll(form.page.id))
    } else queue.waiting.push(waiting)
    return waiting.promise
  }

  /** Called before the transaction, because limits are counted in one of their own, and the transaction waits for no reads. */
  async #admit(form: ReceivedForm): Promise<AdmittedForm> {
    const { database, mails, publicUrlOf } = this.#services
    const { page, scanned } = form
    const thing = scanned === null ? UNKNOWN : await findName(database.read, page.orgId, scanned)
    const notifies = await this.#mayNotify(form)
    return { form, thing, notifies, receiptMail: await admitReceiptMail(mails, publicUrlOf, form) }
  }

  async #mayNotify({ page, suspicion, nowMs }: ReceivedForm): Promise<boolean> {
    const { mails } = this.#services
    if (!mails.canSend || suspicion !== null || page.notifyUserIds.length === 0) return false
    return mails.admits(SUBMISSIONS, page.id, nowMs)
  }

  async #storeAll(pageId: string): Promise<void> {
    const queue = this.#queues.get(pageId) as PageQueue
    while (queue.waiting.length > 0) await this.#storeBatch(queue, takeBatch(queue.waiting))
    this.#queues.delete(pageId)
  }

  async #storeBatch(queue: PageQueue, batch: readonly Waiting[]): Promise<void> {
    const [first] = batch as [Waiting]
    const { database, mails } = this.#services
    const assumedLast = queue.wasWrong ? undefined : queue.lastNumber
    try {
      const store = (tx: Tx) => storeForms(tx, first.form.page, batch, mails, assumedLast)
      const results = await database.write(store, first.form.page.orgId)
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as ReceivedSubmission)
      const numbers = results.filter(({ isRepeat }) => !isRepeat).map(({ number }) => number)
      if (numbers.length > 0) queue.lastNumber = Math.max(...numbers)
    } catch (error) {
      if (concernsAll(error)) for (const { reject } of batch) reject(error)
      else if (assumedLast !== undefined) {
        queue.wasWrong = true
        await this.#storeBatch(queue, batch)
      } else if (batch.length === 1) first.reject(error)
      // One of them is at fault, and the others must not suffer for it.
      else for (const one of batch) await this.#storeBatch(queue, [one])
    }
  }
}

/** Takes at least one. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let [count, bytes] = [0, 0]
  for (const waiting of queue) {
    bytes += waiting.bytes
    if (count === BATCH_MAX || (count > 0 && bytes > BATCH_BYTES_MAX)) break
    count++
  }
  return queue.splice(0, count)
}

/** After a lost connection it is unknown whether the transaction was committed, so it must not run again. */
const concernsAll = (error: unknown): boolean =>
  error instanceof PageGone || error instanceof DatabaseUnavailable || error instanceof QueueFull
