import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ProgressReporter } from './src/testing/progress-reporter.ts'

// Workers, threads and processes of the tests share compiled code, so that each does not load a compiler of its own.
process.env.NODE_COMPILE_CACHE ||= fileURLToPath(new URL('node_modules/.cache/waymark', import.meta.url))

const BROWSER_TESTS = 'src/**/*.browser.test.ts'
/** What they test depends on the engine, or might. They run on both. */
const API_TESTS = 'src/**/*.api.test.ts'
/** They need a service and its database as well, but test HTML, images, stored files or the command line. */
const ONCE_TESTS = 'src/**/*.once.test.ts'

/**
 * They take long, and their files are short. Without figures of an earlier run, short files begin last, when nothing else
 * is left to do meanwhile.
 */
const LONG_TESTS = [
  'scripts/release.test.ts',
  'src/modules/knowledge/article-search/index/analyser.test.ts',
  'src/platform/db/postgres/listening.test.ts',
  'src/platform/markdown/index.test.ts',
]

class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG_TESTS.some((path) => moduleId.endsWith(path))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * API tests run on both engines, all other tests once (ADR 47). Projects start in alphabetical order, so the slow ones start
 * first and do not prolong the end of the run.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // Node.js runs our TypeScript as it is, as the service does. Nothing is mocked, so modules need no hooks.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Requests make much garbage that does not live long. With more room it is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // Reloading the service takes longer than most test files. State that leaks between files would be a bug of ours.
    isolate: false,
    // More than the number of CPUs: many tests wait for a lease, a retry or a process to start.
    maxWorkers: availableParallelism() * 2,
    // Ends tests that hang. No test checks how fast something is, and on a busy machine everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    globalSetup: ['src/testing/setup.ts'],
    sequence: { sequencer: LongTestsFirst },
    reporters: [new ProgressReporter()],
    projects: [
      { extends: true, test: { name: 'browser', include: [BROWSER_TESTS], provide: { engine: 'sqlite' } } },
      // Drills wait most of the time, but each runs up to four processes.
      { extends: true, test: { name: 'drills', include: ['drills/**/*.test.ts'], maxConcurrency: 2 } },
      { extends: true, test: { name: 'postgres', include: [API_TESTS], provide: { engine: 'postgres' } } },
      { extends: true, test: { name: 'sqlite', include: [API_TESTS, ONCE_TESTS], provide: { engine: 'sqlite' } } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,packages,scripts}/**/*.test.ts'],
          exclude: [API_TESTS, ONCE_TESTS, BROWSER_TESTS],
        },
      },
    ],
  },
})
