import { join } from 'node:path'
import { storeScanTexts } from '../modules/codes/scans/index.ts'
import { storeViewTexts } from '../modules/pages/public-pages/index.ts'
import { type Timestamp, timestamp } from '../platform/clock/index.ts'
import type { Tx } from '../platform/db/index.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { newId } from '../platform/ids/index.ts'
import { readJournals, type Texts } from '../platform/recording/index.ts'

/** What is recorded, and how its texts are stored. */
const STORE: Record<string, (tx: Tx, texts: Texts, now: Timestamp) => Promise<void>> = {
  scans: storeScanTexts,
  views: storeViewTexts,
}

/** They are held in memory. While the service runs, it is a few MB at most. */
const MB = 1_000_000
const BYTES_MAX = 200 * MB
/** How many texts a restore stores at once. */
const PIECE = 100

/**
 * The scans and views that wait in files, as rows of `journal_texts`. They must be read before the snapshot of a backup, so
 * that each is in one of the two.
 */
export async function readWaitingTexts(dataDir: string, nowMs: number): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  for (const entries of Object.keys(STORE)) {
    for await (const texts of readJournals(join(dataDir, entries), entries)) {
      for (const { version, json } of texts) {
        bytes += json.length
        if (bytes > BYTES_MAX) {
          throw new OperatorError(
            `More than ${BYTES_MAX / MB} MB of ${entries} in ${dataDir} are not stored yet. Start the service, wait until the metric waymark_journal_bytes is low, and repeat.`,
          )
        }
        rows.push({ id: newId(), entries, version, org_ids: '', json, created_at: timestamp(nowMs) })
      }
    }
  }
  return rows
}

/** Stores what was waiting when a backup was made. */
export async function storeWaitingTexts(tx: Tx, now: Timestamp): Promise<void> {
  for (const [entries, store] of Object.entries(STORE)) {
    for (;;) {
      const texts = await tx
        .selectFrom('journal_texts')
        .select(['id', 'version', 'json'])
        .where('entries', '=', entries)
        .limit(PIECE)
        .execute()
      if (texts.length === 0) break
      await store(tx, texts, now)
      const ids = texts.map(({ id }) => id)
      await tx.deleteFrom('journal_texts').where('id', 'in', ids).execute()
    }
  }
}
