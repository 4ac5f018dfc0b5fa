import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node'

/** How often the progress is shown where no terminal shows it all the time. */
const INTERVAL_MS = 20_000
/** A few files are shown one by one, as Vitest does it. */
const FILES_FEW = 20
const SLOWEST_SHOWN = 10

interface Totals {
  files: number
  tests: number
  testsMs: number
  loadingMs: number
}

/** Vitest's reporter, which also says how far a long run is, and where its time went. Files that pass are not listed. */
export class ProgressReporter extends DefaultReporter {
  readonly #running = new Set<TestModule>()
  readonly #failed = new Set<TestModule>()
  #filesInAll = 0
  #done = 0
  #tests = 0
  #startedAtMs = 0
  #timer: NodeJS.Timeout | undefined

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#running.clear()
    this.#failed.clear()
    this.#filesInAll = specifications.length
    this.#done = 0
    this.#tests = 0
    this.#startedAtMs = performance.now()
    if (!this.#isLong) return
    const byProject = Map.groupBy(specifications, ({ project }) => project.name)
    const counts = [...byProject].map(([name, files]) => `${name} ${files.length}`).sort()
    this.log(` ${this.#filesInAll} files: ${counts.join(', ')}. See CONTRIBUTING.md for what each of them is.\n`)
    if (!this.isTTY) this.#timer = setInterval(() => this.#showProgress(), INTERVAL_MS)
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module)
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module)
    this.#done++
    this.#tests += [...module.children.allTests()].length
    if (module.state() === 'failed') this.#failed.add(module)
    super.onTestModuleEnd(module)
  }

  protected override printTestModule(module: TestModule): void {
    if (!this.#isLong || module.state() === 'failed') super.printTestModule(module)
  }

  override reportTestSummary(...summary: Parameters<DefaultReporter['reportTestSummary']>): void {
    clearInterval(this.#timer)
    if (this.#isLong) this.#showWhereTheTimeWent()
    super.reportTestSummary(...summary)
  }

  get #isLong(): boolean {
    return this.#filesInAll > FILES_FEW
  }

  #showProgress(): void {
    const longest = [...this.#running].map(({ relativeModuleId, project }) => `${relativeModuleId} (${project.name})`)
    const failed = this.#failed.size === 0 ? '' : `, ${this.#failed.size} files failed`
    const progress = `${this.#done} of ${this.#filesInAll} files, ${this.#tests} tests${failed}`
    this.log(` ${clock(performance.now() - this.#startedAtMs)}  ${progress}. Longest running: ${longest[0] ?? 'none'}`)
  }

  #showWhereTheTimeWent(): void {
    const modules = this.ctx.state.getTestModules()
    const byProject = Map.groupBy(modules, ({ project }) => project.name)
    this.log('\n Where the time went, in seconds of all workers together:')
    for (const [name, ofProject] of [...byProject].sort(([a], [b]) => a.localeCompare(b))) {
      const { files, tests, testsMs, loadingMs } = totalsOf(ofProject)
      const loading = `${seconds(loadingMs)} s to load and start`
      this.log(`   ${name.padEnd(9)} ${seconds(testsMs)} s for ${tests} tests in ${files} files, ${loading}`)
    }
    this.log(' The slowest files:')
    const slowest = modules.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration)
    for (const module of slowest.slice(0, SLOWEST_SHOWN)) {
      this.log(`   ${seconds(module.diagnostic().duration)} s ${module.relativeModuleId} (${module.project.name})`)
    }
  }
}

function totalsOf(modules: readonly TestModule[]): Totals {
  const totals: Totals = { files: modules.length, tests: 0, testsMs: 0, loadingMs: 0 }
  for (const module of modules) {
    const { duration, collectDuration, prepareDuration } = module.diagnostic()
    let ofTestsMs = 0
    for (const test of module.children.allTests()) {
      totals.tests++
      ofTestsMs += test.diagnostic()?.duration ?? 0
    }
    // Tests that run at the same time take longer than their file.
    totals.testsMs += Math.min(ofTestsMs, duration)
    totals.loadingMs += collectDuration + prepareDuration + Math.max(0, duration - ofTestsMs)
  }
  return totals
}

const seconds = (ms: number): string => (ms / 1000).toFixed(0).padStart(5)

const clock = (ms: number): string => {
  const wholeSeconds = Math.floor(ms / 1000)
  return `${Math.floor(wholeSeconds / 60)}:${String(wholeSeconds % 60).padStart(2, '0')}`
}
