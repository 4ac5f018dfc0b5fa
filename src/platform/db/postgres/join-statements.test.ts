import { expect, test } from 'vitest'
import { joinStatements } from './join-statements.ts'
import { StatementNames } from './statement-names.ts'

const names = new StatementNames()
const statement = (text: string, ...values: string[]) => ({ text, values, name: names.of(text) })
const join = (...transactions: ReturnType<typeof statement>[][]) => {
  // A statement has a name from its second run on.
  joinStatements(transactions, names)
  return joinStatements(transactions, names).map(({ text, values }) => [text, ...values])
}

const INSERT = 'insert into "things" ("id", "text") values ($1, $2)'
const UPSERT = 'insert into stored (id) values ($1) on conflict (id) do nothing'
const NOTIFY = 'select pg_notify($1, $2)'

test('rows of the same table are one statement, and other statements stay as they are', () => {
  const transaction = (id: string) => [
    statement(INSERT, id, `text ${id}`),
    statement(NOTIFY, 'things', id),
    statement(UPSERT, id),
  ]
  expect(join(transaction('1'), transaction('2'))).toEqual([
    ['insert into "things" ("id", "text") values ($1, $2), ($3, $4)', '1', 'text 1', '2', 'text 2'],
    [NOTIFY, 'things', '1'],
    [NOTIFY, 'things', '2'],
    [UPSERT, '1'],
    [UPSERT, '2'],
  ])
})

test('equal announcements are one, each in its place among the statements', () => {
  const transaction = (id: string) => [statement(NOTIFY, 'events', 'acme'), statement(NOTIFY, 'things', id)]
  expect(join(transaction('1'), transaction('2'), transaction('1'))).toEqual([
    [NOTIFY, 'events', 'acme'],
    [NOTIFY, 'things', '1'],
    [NOTIFY, 'things', '2'],
  ])
})

test('a statement has up to 8 rows', () => {
  const joined = join(...Array.from({ length: 9 }, (_, n) => [statement(INSERT, `${n}`, '')]))
  expect(joined.map(([, ...values]) => values.length / 2)).toEqual([8, 1])
  expect(joined[1]?.[0]).toBe(INSERT)
})

test('transactions that read or change rows keep the order of their statements', () => {
  const replaceBy = (id: string) => [statement('delete from things where text = $1', 'a'), statement(INSERT, id, 'a')]
  expect(join(replaceBy('1'), replaceBy('2')).map(([text]) => text?.slice(0, 6))).toEqual([
    'delete',
    'insert',
    'delete',
    'insert',
  ])
  const copy = [statement('insert into "things" ("id") select "id" from others', '1'), statement(INSERT, '1', 'a')]
  expect(join(copy, copy).map(([text]) => text)).toEqual([copy[0]?.text, INSERT, copy[0]?.text, INSERT])
})

test('without a name for the statement, each row is on its own', () => {
  const full = new StatementNames()
  for (let n = 0; n < 1000; n++) full.of(`select ${n >> 1}`)
  const rows = ['1', '2'].map((id) => [{ text: INSERT, values: [id, ''], name: 'known' }])
  expect(joinStatements(rows, full)).toEqual(rows.flat())
})
