import type { LoopTurns } from '../../../platform/bounded/index.ts'
import { type Clock, MINUTE_MS } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { deleteExpiredAssets, measureAssets, REMOVALS_TOPIC, removeDueFiles } from '../assets/index.ts'

interface AssetServices {
  database: Database
  store: AssetStore
  turns: LoopTurns
  clock: Clock
  log: Logger
}

/** Polling finds assets that have expired, and files whose removal failed. */
const POLL_MS = MINUTE_MS

/**
 * Deletes assets that nothing has referred to for a day, and removes files whose rows are deleted. The row goes first, in
 * the transaction that queues its file. Also reads the sizes of images that an older version stored. Returns a function
 * that stops it.
 *
 * States:
 * - idle → working: an announcement or the poll timer.
 * - working → working: it was woken meanwhile, or there is another batch.
 * - working → idle: nothing is due, or something failed. The next poll tries again.
 */
export function startAssets({ database, store, turns, clock, log }: AssetServices): () => Promise<void> {
  const writer = new PacedWriter(database, turns)
  let working: Promise<void> | undefined
  let isWoken = false
  let isClosing = false

  const work = async () => {
    while (isWoken && !isClosing) {
      isWoken = false
      while (!isClosing && (await deleteExpiredAssets(database, clock(), (orgId, step) => writer.write(orgId, step))));
      while (!isClosing && (await removeDueFiles(database, store, clock())));
      while (!isClosing && (await measureAssets(database, store, clock, (orgId, step) => writer.write(orgId, step))));
    }
  }
  const wake = () => {
    isWoken = true
    if (working !== undefined || isClosing) return
    working = work()
      .catch((error) => log.error({ err: error }, 'failed to remove files, it is tried again later'))
      .finally(() => {
        working = undefined
      })
  }

  const stopListening = database.listen({
    changed: (topic) => {
      if (topic === REMOVALS_TOPIC) wake()
    },
    interrupted: () => {},
    resumed: wake,
  })
  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  wake()
  return async () => {
    isClosing = true
    stopListening()
    clearInterval(timer)
    await working
  }
}
