import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const LOGGING = JSON.stringify(new URL('./logging.ts', import.meta.url).href)

/** Starts a process that runs the script with a logger. */
function run(script: string) {
  const source = `
    const { createLogger, requestLogger } = await import(${LOGGING})
    const log = createLogger('info')
    ${script}`
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 10_000,
  })
}

const messagesOf = (output: string): string[] =>
  output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg]))

test('a process that exits has written all lines, in order', async () => {
  const { stdout } = run(`
    for (let i = 0; i < 500; i++) log.info(String(i))
    process.exit(0)`)
  expect(messagesOf(await text(stdout))).toEqual(Array.from({ length: 500 }, (_, i) => String(i)))
})

test('a line is written even if no other follows', async () => {
  const child = run(`
    setInterval(() => {}, 1000)
    log.info('only')`)
  const [output] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  child.kill('SIGKILL')
  expect(messagesOf(String(output))).toEqual(['only'])
})

test('flushing waits until all lines are written', async () => {
  const { stdout } = run(`
    requestLogger(log)({ requestId: 'a', operation: 'b', status: 200, ms: 1 })
    log.info('last')
    log.flush(() => process.kill(process.pid, 'SIGKILL'))`)
  expect(messagesOf(await text(stdout))).toEqual(['answered', 'last'])
})
