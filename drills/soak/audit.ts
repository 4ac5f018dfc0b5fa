import type { Db } from '../../src/platform/db/index.ts'
import type { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import type { Observations } from '../fairness/observer.ts'
import type { Stage } from '../fairness/stage.ts'
import { journalDrained } from '../scans/audit.ts'
import { progress } from '../webhooks/stage.ts'

/** Compares what the service confirmed with what it stored and delivered. */
export class Audit {
  readonly #groups: string[] = []
  readonly #scans: number[] = []
  /** The groups whose events arrived. */
  readonly #arrived = new Set<string>()

  constructor(receiver: WebhookReceiver) {
    receiver.reply = (response, { event, body }) => {
      receiver.received.length = 0
      if (event === 'qr_group.created') this.#arrived.add(JSON.parse(body).id)
      response.end()
    }
  }

  add({ groups, scans }: Observations): void {
    this.#groups.push(...groups)
    this.#scans.push(...scans)
  }

  async compare({ database, folder }: Stage) {
    await journalDrained(folder)
    const groups = new Set((await database.readLong.selectFrom('qr_groups').select('id').execute()).map(({ id }) => id))
    const scans = await storedScans(database.readLong)
    const arrivedOf = (ids: readonly string[]) => ids.filter((id) => this.#arrived.has(id)).length
    // Fails if nothing arrives for long.
    await progress('events', () => arrivedOf(this.#groups), this.#groups.length).catch(() => {})
    return {
      scans: this.#scans.length,
      groups: this.#groups.length,
      lostScans: this.#scans.filter((number) => !scans.has(number)).length,
      lostGroups: this.#groups.filter((id) => !groups.has(id)).length,
      lostEvents: this.#groups.length - arrivedOf(this.#groups),
    }
  }
}

async function storedScans(db: Db): Promise<Set<number>> {
  const rows = await db.selectFrom('scans').select('query_params').execute()
  return new Set(rows.map(({ query_params }) => Number((query_params as { n?: string } | null)?.n)))
}
