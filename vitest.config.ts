import { defineConfig } from 'vitest/config'

const BROWSER_TESTS = 'src/**/*.browser.test.ts'
const API_TESTS = 'src/**/*.api.test.ts'

/** Every API test runs on both engines; what needs neither runs once. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['src/testing/setup.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,drills,packages}/**/*.test.ts'], exclude: [API_TESTS, BROWSER_TESTS] },
      },
      { extends: true, test: { name: 'browser', include: [BROWSER_TESTS] } },
      { extends: true, test: { name: 'sqlite', include: [API_TESTS], provide: { engine: 'sqlite' } } },
      { extends: true, test: { name: 'postgres', include: [API_TESTS], provide: { engine: 'postgres' } } },
    ],
  },
})
