import { Child } from '../support/children.ts'

export interface ScanLoad {
  port: number
  /** Each request asks for one of these, at random. */
  paths: readonly string[]
  connections: number
  seconds: number
  requestsMax?: number
}

export interface ScanOutcome {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** What the generator itself costs: it limits whatever it measures on the same machine. */
  generatorMicrosEach: number
  /** Answers that are not 302, by status. */
  refused: Record<string, number>
}

/** What a phone's camera sends when it opens what it has read. */
export const PHONE_HEADERS = {
  'User-Agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Accept-Encoding': 'gzip, deflate, br',
}

/** The generator of scans. A figure in which anything was refused is no figure: it throws. */
export class ScanGenerator implements AsyncDisposable {
  readonly #child: Child<object>

  private constructor(child: Child<object>) {
    this.#child = child
  }

  static async start(): Promise<ScanGenerator> {
    return new ScanGenerator(await Child.start(new URL('./load-child.ts', import.meta.url)))
  }

  async run(load: ScanLoad): Promise<ScanOutcome> {
    const outcome = await this.#child.ask<ScanOutcome>(load)
    const refused = Object.entries(outcome.refused).map(([status, count]) => `${count} × ${status}`)
    if (refused.length > 0) throw new Error(`scans were answered ${refused.join(', ')}`)
    if (outcome.answers === 0) throw new Error('no scan was answered')
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
