import { Child } from '../support/children.ts'

export interface ReceiverReady {
  port: number
}

export interface Arrivals {
  firstAtMs: number
  lastAtMs: number
}

/** Where deliveries are taken and never answered. */
export const HANG = '/hang'

/** The machine's own clock, which all processes share and nobody sets. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** What is on its way in a bench arrives within seconds; whoever waits longer waits for something that was lost. */
const ARRIVAL_TIMEOUT_MS = 300_000

export class WebhookReceiver implements AsyncDisposable {
  readonly #child: Child<ReceiverReady>

  private constructor(child: Child<ReceiverReady>) {
    this.#child = child
  }

  static async start(): Promise<WebhookReceiver> {
    return new WebhookReceiver(await Child.start(new URL('./receiver-child.ts', import.meta.url)))
  }

  /** For WEBHOOK_DEV_ALLOW. */
  get host(): string {
    return `127.0.0.1:${this.#child.ready.port}`
  }

  url(path: string): string {
    return `http://${this.host}${path}`
  }

  /** Counts from here on, and answers when so many have arrived. */
  async expect(count: number): Promise<Arrivals> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error(`${count} deliveries did not all arrive within ${ARRIVAL_TIMEOUT_MS / 1000} s`)),
      ARRIVAL_TIMEOUT_MS,
    )
    try {
      return await Promise.race([this.#child.ask<Arrivals>({ expect: count }), late])
    } finally {
      clearTimeout(timer)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
