import { constants, DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Statements } from './statements.ts'

test('a statement is prepared once, and every limit, offset and pattern applies', () => {
  const connection = new DatabaseSync(':memory:')
  connection.exec('create table things (id integer primary key)')
  // SQLite asks for permission whenever it prepares a statement.
  let asked = 0
  connection.setAuthorizer(() => {
    asked++
    return constants.SQLITE_OK
  })
  const statements = new Statements(connection)
  statements.runEach('insert into things (id) values (?)', [[1], [2], [3], [4], [5]])
  const idsOf = (sql: string, ...parameters: (number | string)[]) =>
    statements.run(sql, parameters).rows.map(({ id }) => id)

  const page = 'select id from things where id > ? order by id limit ? offset ?'
  const inner = 'select id from (select id from things order by id\n  LIMIT ?) order by id desc'
  expect(idsOf(page, 1, 2, 1)).toEqual([3, 4])
  expect(idsOf(inner, 2)).toEqual([2, 1])
  const search = "select id from things where id like ? escape '\\' order by id"
  expect(idsOf(search, '%4%')).toEqual([4])
  asked = 0
  expect(idsOf(search, '\\%')).toEqual([])
  expect(idsOf(search, '%')).toEqual([1, 2, 3, 4, 5])
  expect(idsOf(page, 0, 3, 0)).toEqual([1, 2, 3])
  expect(idsOf(page, 0, 100, 4)).toEqual([5])
  expect(idsOf(page, 0, 0, 0)).toEqual([])
  expect(idsOf(inner, 3)).toEqual([3, 2, 1])
  expect(asked).toBe(0)
  connection.close()
})
