import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { QueueFull } from './fair-queue.ts'
import { LoopTurns } from './loop-turns.ts'

/** Tasks that use the processor. The first letter of a name is the key. */
function stage(taskMs: number, turnMs?: { usual: number; short: number }) {
  const metrics = createMetrics()
  const turns = new LoopTurns(metrics, turnMs)
  const begun: { name: string; turn: number }[] = []
  let turn = 0
  let isCounting = true
  const count = () => {
    turn++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const take = (name: string, waiting: Promise<void> | undefined): Promise<void> | undefined => {
    const run = () => {
      begun.push({ name, turn })
      const endMs = performance.now() + taskMs
      while (performance.now() < endMs);
    }
    if (waiting !== undefined) return waiting.then(run)
    run()
    return undefined
  }
  const begin = (name: string) => take(name, turns.wait(name.slice(0, 1)))
  const goOn = (name: string) => take(name, turns.waitToGoOn(name.slice(0, 1)))
  const end = async (tasks: (Promise<void> | undefined)[]) => {
    await Promise.all(tasks)
    isCounting = false
  }
  return { metrics, turns, begun, begin, goOn, end }
}

test('expensive tasks begin in different turns of the event loop, and keys take turns', async () => {
  const { begun, begin, end } = stage(5)
  await end(['a1', 'a2', 'a3', 'a4', 'b1'].map(begin))
  expect(begun.map(({ name }) => name)).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  expect(new Set(begun.map(({ turn }) => turn)).size).toBe(5)
})

test('cheap tasks begin at once', async () => {
  const { begun, begin, end } = stage(0, { usual: 10_000, short: 10_000 })
  const tasks = ['a1', 'a2', 'b1'].map(begin)
  expect(begun.map(({ name }) => name)).toEqual(['a1', 'a2', 'b1'])
  expect(tasks).toEqual([undefined, undefined, undefined])
  await nextTurn()
  await end([begin('a3')])
  expect(begun).toHaveLength(4)
})

test('the first small tasks of a few keys begin at once, although others wait', async () => {
  const { turns, begin, end } = stage(5)
  const large = ['a1', 'a2', 'b1'].map(begin)
  const small = (key: string) => turns.wait(key, { isSmall: true })
  const others = [small('a')]
  for (const key of ['c', 'd', 'e', 'f']) expect(small(key), key).toBeUndefined()
  others.push(small('c'), small('g'))
  expect(others, 'one that waits, one that began, and one too many').toEqual(others.map(() => expect.any(Promise)))
  await end([...large, ...others])
})

test('refuses tasks of a key with too many that wait, and no others', async () => {
  const { metrics, begin, end } = stage(5)
  const first = Array.from({ length: 501 }, () => begin('a'))
  expect(() => begin('a')).toThrow(QueueFull)
  expect(await metrics.show()).toContain('waymark_refused_total{limit="turns"} 1')
  await begin('b')
  await end(first)
})

test('turns are short while others have short tasks', async () => {
  const { turns, begun, begin, end } = stage(2, { usual: 10_000, short: 1 })
  const turnsOf = async (...names: string[]) => {
    await nextTurn()
    begun.length = 0
    await Promise.all(names.map(begin))
    return new Set(begun.map(({ turn }) => turn)).size
  }
  expect(await turnsOf('a1', 'a2', 'a3')).toBe(1)
  await turns.wait('b')
  expect(await turnsOf('a1', 'a2', 'a3')).toBe(1)
  await turns.wait('a', { isShort: true })
  expect(await turnsOf('a1', 'a2', 'a3')).toBe(1)
  await turns.wait('b', { isShort: true })
  expect(await turnsOf('a1', 'a2', 'a3')).toBe(3)
  await end([])
})

test('the rest of a task waits for its turn only while others have short tasks', async () => {
  const { turns, begun, goOn, end } = stage(5)
  await Promise.all(['a1', 'a2', 'a3'].map(goOn))
  expect(new Set(begun.map(({ turn }) => turn)).size).toBe(1)
  await turns.wait('b', { isShort: true })
  await nextTurn()
  begun.length = 0
  await end(['a4', 'a5', 'a6'].map(goOn))
  expect(begun.map(({ name }) => name)).toEqual(['a4', 'a5', 'a6'])
  expect(new Set(begun.map(({ turn }) => turn)).size).toBe(3)
})

test('tells other work whether there are such tasks at the moment', async () => {
  const turns = new LoopTurns(createMetrics())
  expect(turns.isInUse).toBe(false)
  turns.wait('a')
  expect(turns.isInUse).toBe(true)
  await eventually(() => !turns.isInUse)
})

test('tells a key whether others have tasks at the moment', async () => {
  const turns = new LoopTurns(createMetrics())
  turns.wait('a')
  turns.wait('a')
  expect(turns.isShared('a')).toBe(false)
  expect(turns.isShared('b')).toBe(true)
  turns.wait('b')
  turns.wait('a')
  expect(turns.isShared('a')).toBe(true)
  expect(turns.isShared('b')).toBe(true)
  await eventually(() => !turns.isShared('a'))
})
