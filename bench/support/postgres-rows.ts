import pg from 'pg'
import { ROW_TEXT } from './row-text.ts'

/** The service opens this many by default. */
const CONNECTIONS = 10
const INSERT = { name: 'insert', text: 'insert into bare_rows (text) values ($1)', values: [ROW_TEXT] }

/** A table in a PostgreSQL database whose rows are on disk as soon as they are inserted. */
export class PostgresRows {
  readonly #pool: pg.Pool

  private constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  static async open(url: string): Promise<PostgresRows> {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
    await pool.query('create table if not exists bare_rows (id bigserial primary key, text text not null)')
    return new PostgresRows(pool)
  }

  /** Commits a row. */
  async insert(): Promise<void> {
    await this.#pool.query(INSERT)
  }
}
