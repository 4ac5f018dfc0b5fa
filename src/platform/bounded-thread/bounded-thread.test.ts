import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { Task } from '../markdown/thread.ts'
import { BoundedThread, type Limits, TooIntricate } from './index.ts'

/** This would take most of a minute. */
const SLOW = '<b>'.repeat(170_000)
const PATIENT: Limits = { taskMsMax: 20_000, memoryMbMax: 256 }

/** Rendering is what there is that can take long. */
const SCRIPT = new URL('../markdown/thread.ts', import.meta.url)

const threads: BoundedThread<Task, string>[] = []
const begin = (limits: Limits) => {
  const thread = new BoundedThread<Task, string>(SCRIPT, limits)
  threads.push(thread)
  return thread
}
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close()
})

const html = (markdown: string) => ({ to: 'html' as const, markdown })

test('texts are answered in the order they came, each with its own', async () => {
  const thread = begin(PATIENT)
  const order: number[] = []
  const answers = Array.from({ length: 20 }, async (_, n) => {
    const rendered = await thread.run({ to: n % 2 === 0 ? 'html' : 'plain', markdown: `*${n}*` })
    order.push(n)
    return rendered
  })
  expect(await Promise.all(answers)).toEqual(answers.map((_, n) => (n % 2 === 0 ? `<p><em>${n}</em></p>\n` : `${n}`)))
  expect(order).toEqual(answers.map((_, n) => n))
})

test('a text that takes too long is given up, and those behind it are answered', async () => {
  const thread = begin({ ...PATIENT, taskMsMax: 500 })
  const outcomes = await Promise.allSettled(['a', SLOW, 'b', SLOW, 'c'].map((text) => thread.run(html(text))))
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: '<p>a</p>\n' },
    { status: 'rejected', reason: new TooIntricate() },
    { status: 'fulfilled', value: '<p>b</p>\n' },
    { status: 'rejected', reason: new TooIntricate() },
    { status: 'fulfilled', value: '<p>c</p>\n' },
  ])
})

test('a text that takes too much memory is given up, and the one behind it is answered', async () => {
  const thread = begin({ ...PATIENT, memoryMbMax: 24 })
  const texts = ['# a\n'.repeat(125_000), 'b']
  const [tooMuch, next] = await Promise.allSettled(texts.map((text) => thread.run(html(text))))
  expect(tooMuch).toMatchObject({ reason: { name: 'TooIntricate', cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } } })
  expect(next).toEqual({ status: 'fulfilled', value: '<p>b</p>\n' })
})

test('closing while it is busy refuses what waits and what comes after', async () => {
  const thread = begin(PATIENT)
  await thread.run(html('a'))
  const waiting = Promise.allSettled([SLOW, 'b'].map((text) => thread.run(html(text))))
  await thread.close()
  const late = Promise.allSettled([thread.run(html('c'))])
  for (const outcome of [...(await waiting), ...(await late)]) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('closed') } })
  }
  await thread.close()
})

test('closing what was never used ends at once', async () => {
  await begin(PATIENT).close()
})

test('a process gets its answers before it ends, and ends beside an idle thread', async () => {
  const program = `
    import { createMarkdown } from '${new URL('../markdown/index.ts', import.meta.url)}'
    const { toPlain } = createMarkdown()
    console.log(await toPlain('*a*'), await toPlain('*b*'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program])
  expect(stdout).toBe('a b\n')
})
