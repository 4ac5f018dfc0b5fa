import { setImmediate as tick } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FairQueue, type FairQueueLimits, QueueFull } from './fair-queue.ts'

const LIMITS: FairQueueLimits = { runningMax: 1, waitingPerKeyMax: 100, waitMsMax: 60_000 }

/** Time passes only when a test says so. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const LONG_MS = 500

/** A queue with tasks that end when the test says so. */
function stage(limits: Partial<FairQueueLimits> = {}) {
  const queue = new FairQueue({ ...LIMITS, ...limits })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal?: AbortSignal) =>
    queue.run(
      name[0] as string,
      () => {
        started.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      },
      signal,
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    await tick()
  }
  return { queue, started, run, end }
}

describe('turns', () => {
  test('a task of another key waits for one task of a busy key, not for all', async () => {
    const { started, run, end } = stage()
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => run(name))
    while (started.length < 7) await end(started.at(-1) as string)
    await end(started.at(-1) as string)
    expect(started.slice(0, 3)).toEqual(['a1', 'b1', 'c1'])
    expect(new Set(started.slice(3, 5))).toEqual(new Set(['a2', 'b2']))
    expect(started.slice(5)).toEqual(['a3', 'a4'])
    expect(await Promise.all(all)).toHaveLength(7)
  })

  test('a key with short tasks has many turns for one long task of another key', async () => {
    const { started, run, end } = stage()
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4'].map((name) => run(name))
    vi.advanceTimersByTime(LONG_MS)
    await end('a1')
    for (const name of ['b1', 'b2', 'b3']) await end(name)
    // Another key joins. It has no claim on the time before that.
    all.push(run('c1'))
    for (const name of ['b4', 'c1', 'a2', 'a3']) await end(name)
    expect(started).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'c1', 'a2', 'a3'])
    await Promise.all(all)
  })

  test('a key that waits since its last turn is not overtaken again and again by keys that leave and come back', async () => {
    const { started, run, end } = stage()
    const all = ['a1', 'b1', 'a2'].map((name) => run(name))
    await end('a1')
    for (let turn = 1; turn < 6; turn++) {
      const [running, next] = turn % 2 === 1 ? [`b${turn}`, `c${turn + 1}`] : [`c${turn}`, `b${turn + 1}`]
      if (started.at(-1) !== running) break
      all.push(run(next))
      await end(running)
    }
    expect(started.slice(0, 5)).toContain('a2')
    while (started.length < all.length) await end(started.at(-1) as string)
    await end(started.at(-1) as string)
    await Promise.all(all)
  })

  test('a key cannot take more places than its share, and leaves the others to the next key', async () => {
    const { queue, started, run, end } = stage({ runningMax: 3, runningPerKeyMax: 2 })
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => run(name))
    await tick()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    expect(queue).toMatchObject({ running: 3, waiting: 2 })
    for (const name of ['b1', 'b2', 'a1', 'a3', 'a2']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
    await Promise.all(all)
    expect(queue).toMatchObject({ running: 0, waiting: 0 })
  })

  test('a key with a long task runs one at a time', async () => {
    const { started, run, end } = stage({ runningMax: 3, longTaskMs: LONG_MS / 2 })
    const all = [run('a1')]
    vi.advanceTimersByTime(LONG_MS)
    all.push(run('a2'))
    expect(started).toEqual(['a1', 'a2'])
    await end('a1')
    all.push(run('a3'), run('b1'), run('b2'))
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2'])
    for (const name of ['b1', 'b2', 'a2', 'a3']) await end(name)
    await Promise.all(all)
  })

  test('a key with a long task runs several at once again when its tasks are short', async () => {
    const { queue, started, run, end } = stage({ runningMax: 3, longTaskMs: LONG_MS / 2 })
    const all = [run('a0')]
    vi.advanceTimersByTime(LONG_MS)
    all.push(...Array.from({ length: 20 }, (_, n) => run(`a${n + 1}`)))
    // Ends them in the order in which they started.
    let ended = 0
    const endNext = () => end(started[ended++] as string)
    while (ended < 3) await endNext()
    expect(queue.running).toBe(1)
    while (queue.waiting > 0 && queue.running === 1) await endNext()
    expect(queue.running).toBe(3)
    while (ended < all.length) await endNext()
    await Promise.all(all)
  })

  test('a key rests after a long task, for as long, while others run', async () => {
    const { queue, started, run, end } = stage({ restAfterMs: LONG_MS / 5 })
    const all = ['a1', 'a2', 'b1'].map((name) => run(name))
    vi.advanceTimersByTime(LONG_MS)
    await end('a1')
    expect(started).toEqual(['a1', 'b1'])
    await end('b1')
    expect([started, queue.running, queue.waiting]).toEqual([['a1', 'b1'], 0, 1])
    vi.advanceTimersByTime(LONG_MS - 1)
    expect(started).toEqual(['a1', 'b1'])
    vi.advanceTimersByTime(1)
    await tick()
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await end('a2')
    expect(await Promise.all(all)).toHaveLength(3)
  })

  test('the preferred key takes every second turn, and has its own limits', async () => {
    const preferred = { key: 's', waitingMax: 3, waitMsMax: 60_000 }
    const { started, run, end } = stage({ preferred, waitingPerKeyMax: 1 })
    const all = ['a1', 'b1', 'c1', 's1', 's2', 's3'].map((name) => run(name))
    await expect(run('s4')).rejects.toThrow(QueueFull)
    await expect(run('b2')).rejects.toThrow(QueueFull)
    for (const name of ['a1', 's1', 'b1', 's2', 'c1', 's3']) await end(name)
    expect(started).toEqual(['a1', 's1', 'b1', 's2', 'c1', 's3'])
    await Promise.all(all)
  })

  test('a failed task frees its place', async () => {
    const { queue, run, started, end } = stage()
    await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    const next = run('a1')
    await tick()
    expect(started).toEqual(['a1'])
    await end('a1')
    await next
  })
})

describe('limits', () => {
  test('rejects a task when too many of its key are waiting, but not those of another key', async () => {
    const { queue, run, end, started } = stage({ waitingPerKeyMax: 1 })
    const all = [run('a1')]
    expect(queue.isFull('a')).toBe(false)
    all.push(run('a2'))
    expect(queue.isFull('a')).toBe(true)
    await expect(run('a3')).rejects.toThrow(QueueFull)
    expect(queue.isFull('b')).toBe(false)
    all.push(run('b1'))
    for (const name of ['a1', 'b1', 'a2']) await end(name)
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await Promise.all(all)
  })

  test('rejects a task that waited too long, and runs the others', async () => {
    const { queue, run, end, started } = stage({ waitMsMax: 20 })
    const first = run('a1')
    const refusal = run('a2').catch((error: Error) => error.message)
    vi.advanceTimersByTime(20)
    const refused = await refusal
    const waitedMs = Number(/^the task waited for (\d+) ms$/.exec(String(refused))?.[1])
    expect(waitedMs).toBeGreaterThanOrEqual(14)
    expect(waitedMs).toBeLessThanOrEqual(20)
    expect(queue.waiting).toBe(0)
    await end('a1')
    expect(started).toEqual(['a1'])
    await first
  })

  test('drops a waiting task when its signal is aborted', async () => {
    const { queue, run, end, started } = stage()
    const gone = new AbortController()
    const first = run('a1')
    const second = run('b1', gone.signal)
    const third = run('b2')
    gone.abort(new Error('the client left'))
    await expect(second).rejects.toThrow('the client left')
    expect(queue.waiting).toBe(1)
    for (const name of ['a1', 'b2']) await end(name)
    expect(started).toEqual(['a1', 'b2'])
    await Promise.all([first, third])
  })
})
