import { Child } from '../support/children.ts'

export interface ReceiverReady {
  port: number
}

export interface Arrivals {
  firstAtMs: number
  lastAtMs: number
}

/** The path where the receiver accepts requests and never responds. */
export const HANG_PATH = '/hang'

/** A monotonic clock that all processes on the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Deliveries arrive within seconds. After this long one was lost. */
const ARRIVAL_TIMEOUT_MS = 300_000

export class WebhookReceiver implements AsyncDisposable {
  readonly #child: Child<ReceiverReady>

  private constructor(child: Child<ReceiverReady>) {
    this.#child = child
  }

  static async start(): Promise<WebhookReceiver> {
    return new WebhookReceiver(await Child.start(new URL('./receiver-child.ts', import.meta.url)))
  }

  /** The value of WEBHOOK_DEV_ALLOW. */
  get host(): string {
    return `127.0.0.1:${this.#child.ready.port}`
  }

  url(path: string): string {
    return `http://${this.host}${path}`
  }

  /**
   * Restarts the counter and waits until that is done. Call it before anything is sent: a delivery that arrives earlier
   * is not counted.
   */
  async reset(): Promise<void> {
    await this.#child.request({ reset: true })
  }

  /** Resolves when this many deliveries have arrived since `reset`. */
  async waitFor(count: number): Promise<Arrivals> {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error(`${count} deliveries did not all arrive within ${ARRIVAL_TIMEOUT_MS / 1000} s`)),
      ARRIVAL_TIMEOUT_MS,
    )
    try {
      return await Promise.race([this.#child.request<Arrivals>({ waitFor: count }), timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}
