/** Transactions wait for one writer. However many one organisation sends, the others get their turn. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QueueFull } from '../../bounded/index.ts'
import type { OrgId } from '../../ids/index.ts'
import type { Database } from '../types.ts'
import { openSqlite } from './index.ts'

let folder: string
let database: Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-write-queue-'))
  database = await openSqlite(join(folder, 'test.db'))
  await sql`create table things (id integer primary key, name text)`.execute(database.kysely)
})
afterEach(async () => {
  vi.useRealTimers()
  await database.close()
  await rm(folder, { recursive: true })
})

const insert = (name: string) => sql`insert into things (name) values (${name})`
const write = (name: string, org?: string) => database.write((tx) => insert(name).execute(tx), org as OrgId)
const names = async () => {
  const { rows } = await sql<{ name: string }>`select name from things order by id`.execute(database.read)
  return rows.map(({ name }) => name)
}

/** Opens a transaction that ends when the returned function is called. */
async function holdWriter(org: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const held = database.write(async (tx) => {
    await insert(`${org} first`).execute(tx)
    open()
    await released
  }, org as OrgId)
  await opened
  return () => {
    release()
    return held
  }
}

test('organisations that have used less time come first, the service has every second turn', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const release = await holdWriter('a')
  const waiting = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => write(name, name.charAt(0)))
  waiting.push(...['scans', 'attempts'].map((name) => write(name)))
  expect(database.writeQueue).toMatchObject({ waiting: 8, running: 1 })
  // Longer than the others take together: for them, no time passes.
  vi.advanceTimersByTime(500)
  await release()
  await Promise.all(waiting)
  expect(await names()).toEqual(['a first', 'scans', 'b1', 'attempts', 'c1', 'b2', 'a1', 'a2', 'a3'])
  expect(database.writeQueue).toMatchObject({ waiting: 0, running: 0 })
})

test('a statement without a transaction waits for the open transaction only', async () => {
  const release = await holdWriter('a')
  const waiting: Promise<unknown>[] = ['a1', 'a2', 'b1'].map((name) => write(name, name.charAt(0)))
  waiting.push(insert('single').execute(database.kysely))
  waiting.push(database.writeAlone(CompiledQuery.raw(`insert into things (name) values ('alone')`)))
  await release()
  await Promise.all(waiting)
  expect(await names()).toEqual(['a first', 'single', 'alone', 'b1', 'a1', 'a2'])
})

test('an organisation with too many waiting transactions is refused, and nobody else', async () => {
  let counted = 0
  database.writeQueue.onRefused = () => counted++
  const release = await holdWriter('a')
  const outcomes = Promise.allSettled(Array.from({ length: 1000 }, (_, n) => write(`a${n}`, 'a')))
  const others = [write('b', 'b'), ...Array.from({ length: 1000 }, () => write('own'))]
  await release()
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(new Set(refused.map((outcome) => (outcome as PromiseRejectedResult).reason.constructor))).toEqual(
    new Set([QueueFull]),
  )
  await Promise.all(others)
  // The refused ones left nothing behind.
  expect(await names()).toHaveLength(1 + (1000 - refused.length) + others.length)
  expect({ refused: refused.length, counted }).toEqual({ refused: 800, counted: 800 })
})

test('a transaction that waits too long is refused, and does not run later', async () => {
  const release = await holdWriter('a')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = expect(write('late', 'b')).rejects.toBeInstanceOf(QueueFull)
  vi.advanceTimersByTime(5000)
  await late
  vi.useRealTimers()
  await release()
  await write('next', 'b')
  expect(await names()).toEqual(['a first', 'next'])
})
