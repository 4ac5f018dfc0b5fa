import { expect, test } from 'vitest'
import { StatementNames } from './statement-names.ts'

test('a statement has a name from its second run on, and keeps it', () => {
  const names = new StatementNames()
  expect(names.of('select 1')).toBeUndefined()
  const name = names.of('select 1')
  expect(name).toMatch(/^waymark_/)
  expect(names.of('select 2')).toBeUndefined()
  expect(names.of('select 2')).not.toBe(name)
  expect(names.of('select 1')).toBe(name)
})

test('statements that run once leave all names to those that run again', () => {
  const names = new StatementNames()
  for (let n = 0; n < 5000; n++) names.of(`create table things_${n} (id integer)`)
  for (let n = 0; n < 500; n++) {
    names.of(`select ${n}`)
    expect(names.of(`select ${n}`), `select ${n}`).toBeDefined()
  }
})

test('there are 500 names, and a long statement gets none', () => {
  const names = new StatementNames()
  const runTwice = (text: string) => names.of(text) ?? names.of(text)
  expect(runTwice(`select '${'x'.repeat(8192)}'`)).toBeUndefined()
  const given = new Set(Array.from({ length: 501 }, (_, n) => runTwice(`select ${n}`)))
  expect(given.size).toBe(501)
  expect(given).toContain(undefined)
})
