import { expect, test } from 'vitest'
import { createLogger } from '../platform/telemetry/logging.ts'
import { createDatabase } from '../testing/engines/database.ts'
import { testConfig } from '../testing/harness.ts'
import type { Config } from './config.ts'
import { startService } from './service.ts'

/** Starts and stops the service, and returns the warnings it logged. */
async function warningsOf(config: Partial<Config>): Promise<string[]> {
  const database = await createDatabase('sqlite')
  const lines: string[] = []
  const log = createLogger('warn', { write: (line) => void lines.push(line) })
  await (await startService({ ...testConfig(database), ...config }, 'api', log)).close()
  await database.drop()
  return lines.map((line) => JSON.parse(line).msg)
}

test('warns if every client can choose its address', async () => {
  expect(await warningsOf({ trustProxy: true })).toEqual([expect.stringMatching(/^TRUST_PROXY=true .*10\.0\.0\.0\/8/)])
  expect(await warningsOf({ trustProxy: '10.0.0.0/8' })).toEqual([])
})
