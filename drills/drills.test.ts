import { expect, test } from 'vitest'
import { check, drill } from './idempotency.ts'

/** The short forms; `npm run drill` has the whole ones. */
test.each(['sqlite', 'postgres'] as const)(
  'on %s, one key has one effect and one answer while processes are killed',
  { timeout: 120_000 },
  async (engine) => {
    const size = { keys: 12, duplicates: 10, kills: 2 }
    const report = await drill(engine, size)
    check(report, size)
    expect(report.kills).toBeGreaterThan(0)
  },
)
