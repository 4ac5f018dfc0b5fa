import { Child } from './children.ts'

export interface Reading {
  port: number
  /** `{n}` stands for a number below `outOf`, drawn anew for each request. */
  path: string
  outOf: number
  headers: Record<string, string>
  /** Any other status is a refusal. */
  status: number
  connections: number
  seconds: number
}

export interface ReadingOutcome {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** By status. */
  refused: Record<string, number>
}

/** Many visitors who read without a pause. A figure in which anything was refused is no figure: it throws. */
export class Readers implements AsyncDisposable {
  readonly #child: Child<object>

  private constructor(child: Child<object>) {
    this.#child = child
  }

  static async start(): Promise<Readers> {
    return new Readers(await Child.start('help-centre-load-child.ts'))
  }

  async run(reading: Reading): Promise<ReadingOutcome> {
    const outcome = await this.#child.ask<ReadingOutcome>(reading)
    const refused = Object.entries(outcome.refused).map(([status, count]) => `${count} × ${status}`)
    if (refused.length > 0) throw new Error(`${reading.path} answered ${refused.join(', ')}`)
    if (outcome.answers === 0) throw new Error(`${reading.path} answered nothing`)
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
