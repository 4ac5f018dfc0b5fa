import { Child } from './children.ts'

export interface Load {
  port: number
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  /** `{n}` here, in the path and in the headers is replaced by a number that is unique within this load. */
  body?: string
  /** When set, `{n}` is replaced by a random number below this one instead. */
  outOf?: number
  /** The expected status. Defaults to any 2xx. */
  status?: number
  connections: number
  seconds: number
  requestsMax?: number
  /** How long each connection waits after a response. For observing a server that is under load from others. */
  pauseMs?: number
}

export interface LoadResult {
  responses: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** The number of responses with an unexpected status, by status. */
  unexpected: Record<string, number>
}

/** The load generator. Throws when any response has an unexpected status, because the figure would mean nothing. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child: Child<object>

  private constructor(child: Child<object>) {
    this.#child = child
  }

  static async start(): Promise<LoadGenerator> {
    return new LoadGenerator(await Child.start(new URL('./load-child.ts', import.meta.url)))
  }

  async run(load: Load): Promise<LoadResult> {
    const outcome = await this.#child.request<LoadResult>(load)
    const unexpected = Object.entries(outcome.unexpected).map(([status, count]) => `${count} × ${status}`)
    if (unexpected.length > 0) throw new Error(`${load.method} ${load.path} returned ${unexpected.join(', ')}`)
    if (outcome.responses === 0) throw new Error(`${load.method} ${load.path} got no response`)
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
