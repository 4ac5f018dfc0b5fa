import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const BROWSER_TESTS = 'src/**/*.browser.test.ts'
const API_TESTS = 'src/**/*.api.test.ts'

/**
 * Every API test runs on both engines; what needs neither runs once. Projects begin in the order of their names, so that
 * what takes long is not what everybody waits for in the end.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // Loading the service anew takes longer than most files; what one leaves behind would be a defect of ours, too.
    isolate: false,
    // More than there are processors: many tests wait, for a lease, a retry or a process that starts.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['src/testing/setup.ts'],
    projects: [
      { extends: true, test: { name: 'browser', include: [BROWSER_TESTS] } },
      { extends: true, test: { name: 'drills', include: ['drills/**/*.test.ts'] } },
      { extends: true, test: { name: 'postgres', include: [API_TESTS], provide: { engine: 'postgres' } } },
      { extends: true, test: { name: 'sqlite', include: [API_TESTS], provide: { engine: 'sqlite' } } },
      {
        extends: true,
        test: { name: 'unit', include: ['{src,packages}/**/*.test.ts'], exclude: [API_TESTS, BROWSER_TESTS] },
      },
    ],
  },
})
