import { setImmediate as tick } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { LoopTurns } from '../../bounded/index.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { createListQueue } from './list-queue.ts'

function stage(databaseConnections: number) {
  const turns = new LoopTurns(createMetrics())
  const lists = createListQueue(databaseConnections, turns, createMetrics())
  const ends: (() => void)[] = []
  /** Sends requests for lists that do not end yet. */
  const start = async (orgId: string, count: number) => {
    for (let n = 0; n < count; n++) {
      await turns.wait(orgId)
      void lists.run(orgId, () => new Promise<void>((end) => ends.push(end)))
    }
  }
  // A task that still waits would be refused later, during another test.
  onTestFinished(async () => {
    while (lists.running > 0) {
      for (const end of ends.splice(0)) end()
      await tick()
    }
  })
  return { turns, lists, ends, start }
}

test('an organisation alone runs all its lists at once', async () => {
  const { lists, start } = stage(20)
  await start('a', 20)
  expect(lists).toMatchObject({ running: 20, waiting: 0 })
})

test('while another sends requests, it runs only as many as the connections to the database allow', async () => {
  const { turns, lists, ends, start } = stage(20)
  await turns.wait('b')
  await start('a', 20)
  expect(lists).toMatchObject({ running: 2, waiting: 18 })
  ends.shift()?.()
  await tick()
  expect(lists).toMatchObject({ running: 2, waiting: 17 })
  await start('b', 2)
  expect(lists).toMatchObject({ running: 4, waiting: 17 })
})

test('as soon as another sends a request, those that run already are not replaced by others', async () => {
  const { turns, lists, ends, start } = stage(20)
  await start('a', 20)
  await turns.wait('b')
  await start('a', 5)
  for (const end of ends.splice(0, 18)) end()
  await tick()
  expect(lists).toMatchObject({ running: 2, waiting: 5 })
})
