import pg from 'pg'
import type { ToFailure } from '../statements/run-without-result.ts'

export type Value = string | Buffer | null

export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
  /** The statement is prepared under this name, once per connection. */
  readonly name: string | undefined
}

/** One whose result nobody needs. */
export interface HeldStatement extends Statement {
  readonly toFailure: ToFailure
}

type Callback = (error: Error | null, result: pg.QueryResult) => void

/** What `pg` calls. Its types leave most of it out. */
interface Internals {
  name: string | undefined
  callback: Callback
}

interface Connection extends Pick<pg.Connection, 'stream' | 'sync'> {
  parse(statement: { name: string | undefined; text: string }): void
  bind(config: { statement: string; values: readonly Value[] }): void
  execute(): void
}

/** Passing a text instead of an object to `pg` saves copying that object, which costs more than all the rest. */
export class SingleStatement extends pg.Query {
  constructor({ text, values, name }: Statement, callback: Callback) {
    super(text, values as Value[])
    Object.assign(this as unknown as Internals, { name, callback })
  }
}

/** Prepares a statement and does not run it. */
export class Preparation extends pg.Query {
  readonly #statement: Statement

  constructor(statement: Statement) {
    super(statement.text)
    this.#statement = statement
    Object.assign(this as unknown as Internals, { name: statement.name, callback: () => {} })
  }

  override submit = (from: pg.Connection): void => {
    const connection = from as unknown as Connection
    connection.parse(this.#statement)
    connection.sync()
  }
}

/**
 * A transaction of prepared statements whose results nobody needs. PostgreSQL runs everything up to a Sync message as one
 * transaction, so this needs no `begin`, no `commit`, and only one response.
 */
export class WholeTransaction extends pg.Query {
  readonly #statements: readonly Statement[]
  /** How many statements have run. If the transaction fails, the next one is the cause. */
  completed = 0

  readonly finished: Promise<void>

  constructor(statements: readonly Statement[]) {
    super('')
    this.#statements = statements
    this.finished = new Promise((resolve, reject) => {
      ;(this as unknown as Internals).callback = (error) => (error ? reject(error) : resolve())
    })
  }

  override submit = (from: pg.Connection): void => {
    const connection = from as unknown as Connection
    connection.stream.cork()
    for (const { name = '', values } of this.#statements) {
      connection.bind({ statement: name, values })
      connection.execute()
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleDataRow(): void {}

  handleCommandComplete(): void {
    this.completed++
  }
}
