import { z } from 'zod'
import { SECOND_MS } from '../clock/index.ts'
import { ConstraintViolation, UnstorableValue } from '../db/failures.ts'
import type { Database, Tx } from '../db/index.ts'
import { withTimeout } from '../db/timeout.ts'
import type { OrgId } from '../ids/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import { Journal } from './journal.ts'
import type { Texts } from './journal-file.ts'

/** A fold that takes longer counts as failed. Stored again, its entries change nothing. */
const STORED_WITHIN_MS = 10 * SECOND_MS

/** How entries are written to a log, and stored. */
export interface EntryFormat<Entry> {
  /** What one entry and several entries are called in logs. Files have the latter as their extension. */
  names: { one: string; several: string }
  /** Raise it whenever entries change. */
  version: number
  /** Whose reads wait for the entry. */
  orgOf: (entry: Entry) => OrgId
  /** JSON texts that hold these entries. */
  toTexts: (entries: readonly Entry[]) => string[]
  /** JSON texts with one entry each. */
  split: (json: string) => string[]
  /** What to log of the first entry of a text. */
  describe: (json: string) => unknown
  /** Stores and counts each entry once, even if it is passed again later. Texts may be of older versions. */
  store: (tx: Tx, texts: Texts) => Promise<void>
}

/** Where entries are durable before they are stored. */
export interface EntryLog<Entry> {
  append(entries: readonly Entry[]): Promise<void>
  /**
   * Stores all entries that were appended before the call, and removes them. Returns the failures to read what other processes
   * have left.
   */
  fold(): Promise<Error[]>
  /** Whether entries of the organisation wait, also those of other processes. Undefined if no other process can append any. */
  holds?(orgId: OrgId): Promise<boolean>
  /** When the oldest entry was appended that is not stored. */
  readonly sinceMs: number | undefined
  sizeBytes(): Promise<number>
  close(): Promise<void>
}

/** A log in files of this machine. */
export class FileLog<Entry> implements EntryLog<Entry> {
  readonly #journal: Journal
  readonly #format: EntryFormat<Entry>
  readonly #database: Database
  readonly #logger: Logger

  /** The folder must belong to this database alone. */
  constructor(folder: string, format: EntryFormat<Entry>, database: Database, logger: Logger) {
    this.#journal = new Journal(folder, { entries: format.names.several, version: format.version })
    this.#format = format
    this.#database = database
    this.#logger = logger
  }

  get sinceMs(): number | undefined {
    return this.#journal.sinceMs
  }

  append(entries: readonly Entry[]): Promise<void> {
    return this.#journal.append(this.#format.toTexts(entries))
  }

  fold(): Promise<Error[]> {
    return this.#journal.fold((texts) =>
      storeOrReject(texts, this.#format, this.#logger, (some) =>
        this.#database.write((tx) => this.#format.store(tx, some)),
      ),
    )
  }

  sizeBytes(): Promise<number> {
    return this.#journal.sizeBytes()
  }

  close(): Promise<void> {
    return this.#journal.close()
  }
}

/** Whether an entry itself is at fault, so that every retry would fail. All other errors may be temporary. */
export const isDataError = (error: unknown): boolean =>
  error instanceof ConstraintViolation || error instanceof UnstorableValue || error instanceof z.ZodError

/** An entry that the database rejects for good is logged instead, so that it does not block the others. */
export async function storeOrReject<Entry>(
  texts: Texts,
  format: EntryFormat<Entry>,
  logger: Logger,
  store: (texts: Texts) => Promise<void>,
): Promise<void> {
  try {
    await withTimeout(store(texts), STORED_WITHIN_MS)
  } catch (error) {
    if (!isDataError(error)) throw error
    const parts =
      texts.length > 1
        ? texts
        : texts.flatMap(({ version, json }) => format.split(json).map((json) => ({ version, json })))
    if (parts.length > 1) {
      const half = parts.length >> 1
      await storeOrReject(parts.slice(0, half), format, logger, store)
      await storeOrReject(parts.slice(half), format, logger, store)
    } else {
      const { one } = format.names
      logger.error({ err: error, [one]: format.describe(parts[0]?.json ?? '[]') }, `a ${one} cannot be stored`)
    }
  }
}
