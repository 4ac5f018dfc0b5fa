import { listDueForDeletion } from '../modules/account/organisations/index.ts'
import { MINUTE_MS, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { AssetStore } from '../platform/files/asset-store.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import { eraseOrganisation } from './erase-organisation.ts'

const INTERVAL_MS = 10 * MINUTE_MS
/** Limits how many are erased at a time. The next look finds the others. */
const ORGANISATIONS_MAX = 20

/**
 * Deletes organisations whose owners asked for it 30 days ago, now and every 10 minutes. Returns a function that stops it:
 * a deletion that it interrupts goes on after the next start.
 */
export function startErasing(database: Database, store: AssetStore, clock: () => number, log: Logger): () => void {
  let isRunning = false
  const look = async () => {
    if (isRunning) return
    isRunning = true
    await eraseDue(database, store, clock(), log).catch((error) => log.error({ err: error }, 'deleting failed'))
    isRunning = false
  }
  const timer = setInterval(() => void look(), INTERVAL_MS)
  timer.unref()
  void look()
  return () => clearInterval(timer)
}

export async function eraseDue(database: Database, store: AssetStore, nowMs: number, log: Logger): Promise<void> {
  for (const orgId of await listDueForDeletion(database.read, timestamp(nowMs), ORGANISATIONS_MAX)) {
    log.warn({ org_id: orgId }, 'deletes an organisation, as its owner asked 30 days ago')
    await eraseOrganisation(database, orgId, store)
  }
}
