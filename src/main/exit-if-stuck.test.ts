import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

test('ends a process that cannot stop, and logs why', () => {
  const script = `
    const { exitIfStuck } = await import(${url('./exit-if-stuck.ts')})
    const { createLogger } = await import(${url('../platform/telemetry/logging.ts')})
    setInterval(() => {}, 1000)
    exitIfStuck(createLogger('info'), 50)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'error',
    msg: expect.stringContaining('could not stop within 0.05 s'),
  })
})
