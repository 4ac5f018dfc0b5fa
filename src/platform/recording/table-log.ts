import { sql } from 'kysely'
import { SECOND_MS, systemClock, timestamp } from '../clock/index.ts'
import { type Database, type Db, insertMissingRowsAlone, type Tx } from '../db/index.ts'
import { withTimeout } from '../db/timeout.ts'
import { newId, type OrgId } from '../ids/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import { type EntryFormat, type EntryLog, type FileLog, isDataError, storeOrReject } from './entry-log.ts'

/** A visitor is waiting: after this time a batch goes to the files. */
const APPENDED_WITHIN_MS = 2 * SECOND_MS
/** How many texts are stored in one transaction. */
const PIECE = 50

/**
 * A log in a table, for instances whose disks may disappear. Any instance folds what others have appended. While the table
 * cannot be written, entries go to files.
 */
export class TableLog<Entry> implements EntryLog<Entry> {
  readonly #files: FileLog<Entry>
  readonly #format: EntryFormat<Entry>
  readonly #database: Database
  readonly #logger: Logger
  #isAway = false
  /** When this process first appended something since the last fold. */
  #sinceMs: number | undefined

  constructor(files: FileLog<Entry>, format: EntryFormat<Entry>, database: Database, logger: Logger) {
    this.#files = files
    this.#format = format
    this.#database = database
    this.#logger = logger
  }

  get sinceMs(): number | undefined {
    return this.#files.sinceMs ?? this.#sinceMs
  }

  async append(entries: readonly Entry[]): Promise<void> {
    if (!this.#isAway) {
      try {
        await withTimeout(this.#insert(entries), APPENDED_WITHIN_MS)
        this.#sinceMs ??= systemClock()
        return
      } catch (error) {
        this.#isAway = true
        const { several } = this.#format.names
        this.#logger.error({ err: error }, `the database failed to take ${several}; they go to files for now`)
      }
    }
    await this.#files.append(entries)
  }

  async fold(): Promise<Error[]> {
    const failures = await this.#files.fold()
    const sinceMs = this.#sinceMs
    this.#sinceMs = undefined
    try {
      while ((await this.#holdsSome()) && (await this.#foldPiece()) === PIECE);
    } catch (error) {
      this.#sinceMs = sinceMs
      throw error
    }
    this.#isAway = false
    return failures
  }

  async holds(orgId: OrgId): Promise<boolean> {
    const { rows } = await sql`select 1 from journal_texts
      where entries = ${this.#format.names.several} and org_ids like ${`%${orgId}%`} limit 1`.execute(
      this.#database.read,
    )
    return rows.length > 0
  }

  sizeBytes(): Promise<number> {
    return this.#files.sizeBytes()
  }

  close(): Promise<void> {
    return this.#files.close()
  }

  /** An instance that rests asks nothing else. */
  async #holdsSome(): Promise<boolean> {
    const { names, version } = this.#format
    const { rows } = await sql`select 1 from journal_texts
      where entries = ${names.several} and version <= ${version} limit 1`.execute(this.#database.read)
    return rows.length > 0
  }

  #insert(entries: readonly Entry[]): Promise<void> {
    const { names, version, orgOf, toTexts } = this.#format
    const org_ids = [...new Set(entries.map(orgOf))].join()
    const created_at = timestamp(systemClock())
    const rows = toTexts(entries).map((json) => ({
      id: newId(),
      entries: names.several,
      version,
      org_ids,
      json,
      created_at,
    }))
    return insertMissingRowsAlone(this.#database, 'journal_texts', rows)
  }

  /** One instance at a time: the next one sees what is left. Returns how many texts it stored. */
  async #foldPiece(): Promise<number> {
    const { store, names } = this.#format
    try {
      return await this.#database.write(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtext(${`journal of ${names.several}`}))`.execute(tx)
        const texts = await this.#first(tx)
        if (texts.length === 0) return 0
        await store(tx, texts)
        await remove(tx, texts)
        return texts.length
      })
    } catch (error) {
      if (!isDataError(error)) throw error
      const texts = await this.#first(this.#database.read)
      await storeOrReject(texts, this.#format, this.#logger, (some) => this.#database.write((tx) => store(tx, some)))
      await this.#database.write((tx) => remove(tx, texts))
      return texts.length
    }
  }

  /** Those of newer releases stay for them. */
  #first(db: Db): Promise<{ id: string; version: number; json: string }[]> {
    return db
      .selectFrom('journal_texts')
      .select(['id', 'version', 'json'])
      .where('entries', '=', this.#format.names.several)
      .where('version', '<=', this.#format.version)
      .orderBy('id')
      .limit(PIECE)
      .execute()
  }
}

async function remove(tx: Tx, texts: readonly { id: string }[]): Promise<void> {
  await tx
    .deleteFrom('journal_texts')
    .where(
      'id',
      'in',
      texts.map(({ id }) => id),
    )
    .execute()
}
