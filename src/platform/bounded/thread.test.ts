import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { type GatedTask, newGate, openGate } from '../../testing/gate.ts'
import type { MarkdownTask } from '../markdown/thread.ts'
import { QueueFull } from './fair-queue.ts'
import { BoundedThread, type Limits, TaskLimitExceeded } from './thread.ts'

/** Takes most of a minute to render. */
const SLOW = '<b>'.repeat(170_000)
const GENEROUS: Limits = { taskMsMax: 20_000, memoryMbMax: 256 }

/** Rendering Markdown serves as the slow task. */
const SCRIPT = new URL('../markdown/thread.ts', import.meta.url)

const threads: { close(): Promise<void> }[] = []
const start = (limits: Limits) => {
  const thread = new BoundedThread<MarkdownTask, unknown>(SCRIPT, limits)
  threads.push(thread)
  return thread
}
/** A thread whose tasks use no processor time until the test opens their gate. */
const startGated = (taskMsMax: number) => {
  const script = new URL('../../testing/gated-thread.ts', import.meta.url)
  const thread = new BoundedThread<GatedTask, string[]>(script, { ...GENEROUS, taskMsMax })
  threads.push(thread)
  return thread
}
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

const html = (markdown: string) => ({ to: 'html' as const, markdown })

test('returns the result of each task, in the order they were sent', async () => {
  const thread = start(GENEROUS)
  const order: number[] = []
  const results = Array.from({ length: 20 }, async (_, n) => {
    const rendered = await thread.run({ to: n % 2 === 0 ? 'html' : 'plain', markdown: `*${n}*` })
    order.push(n)
    return rendered
  })
  expect(await Promise.all(results)).toEqual(
    results.map((_, n) => (n % 2 === 0 ? `<p><em>${n}</em></p>\n` : { text: `${n}`, warnings: [] })),
  )
  expect(order).toEqual(results.map((_, n) => n))
})

test('rejects a task that exceeds the time limit and runs the ones after it', async () => {
  const thread = start({ ...GENEROUS, taskMsMax: 500 })
  const outcomes = await Promise.allSettled(['a', SLOW, 'b', SLOW, 'c'].map((text) => thread.run(html(text))))
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: '<p>a</p>\n' },
    { status: 'rejected', reason: new TaskLimitExceeded() },
    { status: 'fulfilled', value: '<p>b</p>\n' },
    { status: 'rejected', reason: new TaskLimitExceeded() },
    { status: 'fulfilled', value: '<p>c</p>\n' },
  ])
})

test('counts the processor time of a task, not the time that it waits for a processor', async () => {
  const taskMsMax = 200
  const thread = startGated(taskMsMax)
  const gate = newGate()
  await thread.run({ name: 'a', gate: openGate(newGate()) })
  const waiting = thread.run({ name: 'b', gate })
  await sleep(2 * taskMsMax)
  openGate(gate)
  expect(await waiting).toEqual(['a', 'b'])
})

test('a task that gets hardly any processor time may be retried later', async () => {
  const thread = startGated(50)
  await expect(thread.run({ name: 'a', gate: newGate() })).rejects.toThrow(QueueFull)
  expect(await thread.run({ name: 'b', gate: openGate(newGate()) })).toEqual(['b'])
})

test.runIf(process.platform === 'linux')('lowers the priority of the thread, and of no other thread', async () => {
  const own = getPriority()
  const before = nicenessOfThreads()
  await start(GENEROUS).run(html('a'))
  const added = [...nicenessOfThreads()].filter(([id, niceness]) => before.get(id) !== niceness)
  expect(added.map(([, niceness]) => niceness)).toEqual([Math.min(own + 5, 19)])
  expect(getPriority()).toBe(own)
})

/** The niceness of each thread of this process, by the ID of the thread. */
function nicenessOfThreads(): Map<string, number> {
  const ids = readdirSync('/proc/self/task')
  // The name of a thread may contain spaces; the niceness is the 17th field after it.
  const fieldsOf = (id: string) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  return new Map(ids.map((id) => [id, Number(fieldsOf(id)?.[16])]))
}

test('rejects a task that exceeds the memory limit and runs the one after it', async () => {
  const thread = start({ ...GENEROUS, memoryMbMax: 24 })
  const texts = ['# a\n'.repeat(125_000), 'b']
  const [overLimit, next] = await Promise.allSettled(texts.map((text) => thread.run(html(text))))
  expect(overLimit).toMatchObject({
    reason: { name: 'TaskLimitExceeded', cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } },
  })
  expect(next).toEqual({ status: 'fulfilled', value: '<p>b</p>\n' })
})

test('closing while busy rejects queued and later tasks', async () => {
  const thread = start(GENEROUS)
  await thread.run(html('a'))
  const waiting = Promise.allSettled([SLOW, 'b'].map((text) => thread.run(html(text))))
  await thread.close()
  const late = Promise.allSettled([thread.run(html('c'))])
  for (const outcome of [...(await waiting), ...(await late)]) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } })
  }
  await thread.close()
})

test('closes a thread that was never used', async () => {
  await start(GENEROUS).close()
})

test('keeps the process alive while a task runs, but not while idle', async () => {
  const program = `
    import { createMarkdown } from '${new URL('../markdown/index.ts', import.meta.url)}'
    const { toPlain } = createMarkdown(1)
    console.log((await toPlain('a', '*a*')).text, (await toPlain('a', '*b*')).text)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program])
  expect(stdout).toBe('a b\n')
})
