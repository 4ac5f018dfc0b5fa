import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { Task } from '../markdown/thread.ts'
import { BoundedThread, type Limits, TaskLimitExceeded } from './index.ts'

/** Takes most of a minute to render. */
const SLOW = '<b>'.repeat(170_000)
const GENEROUS: Limits = { taskMsMax: 20_000, memoryMbMax: 256 }

/** Rendering Markdown serves as the slow task. */
const SCRIPT = new URL('../markdown/thread.ts', import.meta.url)

const threads: BoundedThread<Task, string>[] = []
const start = (limits: Limits) => {
  const thread = new BoundedThread<Task, string>(SCRIPT, limits)
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
  expect(await Promise.all(results)).toEqual(results.map((_, n) => (n % 2 === 0 ? `<p><em>${n}</em></p>\n` : `${n}`)))
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
    const { toPlain } = createMarkdown()
    console.log(await toPlain('*a*'), await toPlain('*b*'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program])
  expect(stdout).toBe('a b\n')
})
