import { DatabaseSync } from 'node:sqlite'
import { ROW_TEXT } from './row-text.ts'

/** A table in a SQLite database whose rows are on disk as soon as they are inserted. */
export class SqliteRows {
  readonly #database: DatabaseSync
  readonly #insert
  #waiting: PromiseWithResolvers<void>[] = []

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full')
    this.#database.exec('create table rows (id integer primary key, text text not null)')
    this.#insert = this.#database.prepare('insert into rows (text) values (?)')
  }

  /** Commits so many rows together. */
  insert(count: number): void {
    this.#database.exec('begin immediate')
    for (let n = 0; n < count; n++) this.#insert.run(ROW_TEXT)
    this.#database.exec('commit')
  }

  /** Resolves when the row is on disk. The rows of one turn of the event loop are one commit. */
  insertWithOthers(): Promise<void> {
    const inserted = Promise.withResolvers<void>()
    this.#waiting.push(inserted)
    if (this.#waiting.length === 1) setImmediate(() => this.#insertWaiting())
    return inserted.promise
  }

  #insertWaiting(): void {
    const inserted = this.#waiting
    this.#waiting = []
    this.insert(inserted.length)
    for (const { resolve } of inserted) resolve()
  }

  close(): void {
    this.#database.close()
  }
}
