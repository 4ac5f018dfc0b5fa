import { type Clock, SECOND_MS } from '../clock/index.ts'

/** A single failure can be chance. */
const FAILURES_MAX = 5
const PAUSE_MS = 30 * SECOND_MS
/** A trial whose end was not reported. */
const TRIAL_MS_MAX = 300 * SECOND_MS

/**
 * Stops requests to a server that fails, so that nobody waits for it.
 *
 * States:
 * - closed: every request may be sent. After `FAILURES_MAX` failures in a row → open.
 * - open: no request may be sent. After `PAUSE_MS` → trial.
 * - trial: one request may be sent. If it succeeds → closed; if it fails → open.
 */
export class Breaker {
  readonly #clock: Clock
  #failures = 0
  /** When the next request may be sent. */
  #nextAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_MAX
  }

  /** Whether a request may be sent now. If so, one of the other methods must follow. */
  tryBegin(): boolean {
    if (!this.isOpen) return true
    const nowMs = this.#clock()
    const leftMs = this.#nextAtMs - nowMs
    // More than that is left only if the clock went back.
    if (leftMs > 0 && leftMs <= TRIAL_MS_MAX) return false
    this.#nextAtMs = nowMs + TRIAL_MS_MAX
    return true
  }

  succeed(): void {
    this.#failures = 0
  }

  fail(): void {
    this.#failures++
    if (this.isOpen) this.#nextAtMs = this.#clock() + PAUSE_MS
  }

  /** The request ended without saying anything about the server. */
  leave(): void {
    if (this.isOpen) this.#nextAtMs = this.#clock()
  }
}
