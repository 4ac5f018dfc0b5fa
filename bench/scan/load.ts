import { Child } from '../support/children.ts'

export interface ScanLoad {
  port: number
  /** Each request picks one of these at random. */
  paths: readonly string[]
  connections: number
  seconds: number
  requestsMax?: number
}

export interface ScanOutcome {
  responses: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** CPU time of the generator per scan. It competes with the server on the same machine. */
  generatorMicrosEach: number
  /** The number of responses other than 302, by status. */
  unexpected: Record<string, number>
}

/** The headers that a phone sends when its camera app opens a scanned URL. */
export const PHONE_HEADERS = {
  'User-Agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Accept-Encoding': 'gzip, deflate, br',
}

/** Generates scans. Throws when any response is not a 302, because the figure would mean nothing. */
export class ScanGenerator implements AsyncDisposable {
  readonly #child: Child<object>

  private constructor(child: Child<object>) {
    this.#child = child
  }

  static async start(): Promise<ScanGenerator> {
    return new ScanGenerator(await Child.start(new URL('./load-child.ts', import.meta.url)))
  }

  async run(load: ScanLoad): Promise<ScanOutcome> {
    const outcome = await this.#child.request<ScanOutcome>(load)
    const unexpected = Object.entries(outcome.unexpected).map(([status, count]) => `${count} × ${status}`)
    if (unexpected.length > 0) throw new Error(`scans returned ${unexpected.join(', ')}`)
    if (outcome.responses === 0) throw new Error('no scan got a response')
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
