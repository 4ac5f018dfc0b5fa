import { batchesOf } from '../statements/batches.ts'
import type { StatementNames } from './statement-names.ts'
import type { Statement } from './statements.ts'

/** Each number of rows is another prepared statement. */
const ROWS_MAX = 8

/** Inserts that read nothing, and announcements. Their order across transactions does not matter. */
const INDEPENDENT = /^\s*(insert into \S+\s+\([^()]*\)\s+values \(|select pg_notify\()/

const ANNOUNCEMENT = /^\s*select pg_notify\(/

/** The whole text of an insert of one row, without an ending. */
const ONE_ROW = /^(insert into \S+ \([^()]*\) values )\((?:\$\d+(?:, )?)+\)$/

/**
 * Returns the statements of several transactions, which have the same ones, as those of a single transaction. Rows for the
 * same table become one statement: its triggers run once, and the server has less to do than for one statement per row.
 */
export function joinStatements(
  transactions: readonly (readonly Statement[])[],
  names: StatementNames,
): readonly Statement[] {
  const [first = []] = transactions
  if (!first.every(({ text }) => INDEPENDENT.test(text))) return transactions.flat()
  return first.flatMap((statement, position) => {
    const same = transactions.map((statements) => statements[position] as Statement)
    if (ANNOUNCEMENT.test(statement.text)) return withoutEqual(same)
    const start = ONE_ROW.exec(statement.text)?.[1]
    return start === undefined ? same : joinRows(start, same, names)
  })
}

/** PostgreSQL sends equal announcements of a transaction once, so we send each of them once. */
const withoutEqual = (announcements: readonly Statement[]): Statement[] => [
  ...new Map(announcements.map((each) => [each.values.join(), each])).values(),
]

function joinRows(start: string, rows: readonly Statement[], names: StatementNames): readonly Statement[] {
  const joined: Statement[] = []
  for (const some of batchesOf(rows, ROWS_MAX)) {
    const values = some.flatMap((row) => row.values)
    const text = textFor(start, some.length, values.length / some.length)
    const name = names.of(text)
    if (name === undefined) joined.push(...some)
    else joined.push({ text, name, values })
  }
  return joined
}

/** The keys are the start of the statement and the number of rows. Their starts are in our code, so there are few. */
const texts = new Map<string, string[]>()

function textFor(start: string, rows: number, columns: number): string {
  const byRows = texts.get(start) ?? []
  texts.set(start, byRows)
  let text = byRows[rows]
  if (text === undefined) {
    const row = (first: number) => `(${Array.from({ length: columns }, (_, n) => `$${first + n}`).join(', ')})`
    text = start + Array.from({ length: rows }, (_, n) => row(n * columns + 1)).join(', ')
    byRows[rows] = text
  }
  return text
}
