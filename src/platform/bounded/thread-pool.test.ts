import { afterEach, expect, test } from 'vitest'
import { type GatedTask, newGate, openGate } from '../../testing/gate.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { QueueFull } from './fair-queue.ts'
import { ThreadPool, type ThreadPoolLimits } from './thread-pool.ts'

const SCRIPT = new URL('../../testing/gated-thread.ts', import.meta.url)

const LIMITS: ThreadPoolLimits = {
  threads: 1,
  taskMsMax: 20_000,
  memoryMbMax: 64,
  waitingPerKeyMax: 100,
  waitMsMax: 60_000,
  bytesPerKeyMax: 1000,
  bytesMax: 10_000,
}

const pools: ThreadPool<GatedTask, string[]>[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

/** A pool whose tasks end when the test opens their gate. The first letter of a task's name is its organisation. */
function stage(limits: Partial<ThreadPoolLimits> = {}) {
  const metrics = createMetrics()
  const pool = new ThreadPool<GatedTask, string[]>('testing', SCRIPT, { ...LIMITS, ...limits }, metrics)
  pools.push(pool)
  const gate = newGate()
  const run = (name: string, { bytes = 1, signal }: { bytes?: number; signal?: AbortSignal } = {}) =>
    pool.run(name.slice(0, 1), { name, gate }, bytes, signal)
  return { metrics, pool, run, open: () => openGate(gate) }
}

test('runs the task of another organisation while one organisation has as many as it may', async () => {
  const { metrics, pool, run, open } = stage({ threads: 2, waitingPerKeyMax: 2 })
  let ended = 0
  const tasks = ['a1', 'a2', 'a3'].map((name) => run(name).finally(() => ended++))
  await expect(run('a4')).rejects.toThrow(QueueFull)
  expect(await pool.run('b', { name: 'b1', gate: openGate(newGate()) }, 1)).toEqual(['b1'])
  expect(ended).toBe(0)
  const shown = await metrics.show()
  expect(shown).toContain('waymark_queue_waiting{queue="testing"} 2')
  expect(shown).toContain('waymark_queue_running{queue="testing"} 1')
  expect(shown).toContain('waymark_budget_used_bytes{budget="testing"} 3')
  expect(shown).toContain('waymark_refused_total{limit="testing"} 1')
  open()
  await Promise.all(tasks)
  expect(await metrics.show()).toContain('waymark_budget_used_bytes{budget="testing"} 0')
})

test('uses one thread for tasks that follow each other', async () => {
  const { run, open } = stage({ threads: 2 })
  open()
  await run('a1')
  await run('b1')
  expect(await run('a2')).toEqual(['a1', 'b1', 'a2'])
})

test('prefers a thread that has started to one that has just ended', async () => {
  const { pool, run } = stage({ threads: 2, taskMsMax: 50 })
  const opened = (name: string) => pool.run(name.slice(0, 1), { name, gate: openGate(newGate()) }, 1)
  const endsThread = run('a1')
  expect(await opened('b1')).toEqual(['b1'])
  await expect(endsThread).rejects.toThrow(QueueFull)
  expect(await opened('c1')).toEqual(['b1', 'c1'])
})

test('refuses tasks of an organisation that has too many bytes in the pool, and no others', async () => {
  const { run, open } = stage({ bytesPerKeyMax: 100 })
  const tasks = [run('a1', { bytes: 60 })]
  await expect(run('a2', { bytes: 60 })).rejects.toThrow(QueueFull)
  tasks.push(run('a3', { bytes: 40 }), run('b1', { bytes: 60 }))
  open()
  await Promise.all(tasks)
  expect(await run('a4', { bytes: 100 })).toEqual(['a1', 'b1', 'a3', 'a4'])
})

test('drops a waiting task when its client leaves, without running it', async () => {
  const { run, open } = stage()
  const client = new AbortController()
  const left = new Error('the client left')
  const first = run('a1')
  const second = run('a2', { signal: client.signal })
  client.abort(left)
  await expect(second).rejects.toBe(left)
  open()
  await first
  await expect(run('a3', { signal: client.signal })).rejects.toBe(left)
  expect(await run('a4')).toEqual(['a1', 'a4'])
})

test('drops a task that waited too long, without running it', async () => {
  const { run, open } = stage({ waitMsMax: 50 })
  const first = run('a1')
  await expect(run('a2')).rejects.toThrow(QueueFull)
  open()
  await first
  expect(await run('a3')).toEqual(['a1', 'a3'])
})

test('closing rejects running and waiting tasks', async () => {
  const { pool, run } = stage()
  const outcomes = Promise.allSettled([run('a1'), run('a2')])
  await pool.close()
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } })
  }
})
