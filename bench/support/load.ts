import { Child } from './children.ts'

export interface Load {
  port: number
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  /** `{n}` here and in the headers stands for a number that no other request of this load has. */
  body?: string
  /** Then `{n}` stands for a number below this one, drawn anew for each request. */
  outOf?: number
  /** The only one that is not a refusal; left out, every 2xx. */
  status?: number
  connections: number
  seconds: number
  requestsMax?: number
  /** How long each connection waits after an answer; for watching a server that others load. */
  pauseMs?: number
}

export interface Outcome {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Answers of another status than was wanted, by status. */
  refused: Record<string, number>
}

/** The load generator. A figure in which anything was refused is no figure: it throws. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child: Child<object>

  private constructor(child: Child<object>) {
    this.#child = child
  }

  static async start(): Promise<LoadGenerator> {
    return new LoadGenerator(await Child.start(new URL('./load-child.ts', import.meta.url)))
  }

  async run(load: Load): Promise<Outcome> {
    const outcome = await this.#child.ask<Outcome>(load)
    const refused = Object.entries(outcome.refused).map(([status, count]) => `${count} × ${status}`)
    if (refused.length > 0) throw new Error(`${load.method} ${load.path} answered ${refused.join(', ')}`)
    if (outcome.answers === 0) throw new Error(`${load.method} ${load.path} answered nothing`)
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
