import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'

/** What a browser may do next, such as a step of signing in. A ticket is valid for nothing else. */
export type TicketKind = `${string}_step` | PasskeyUse | 'add_passkey' | 'add_totp'

/** What a passkey is asked for: to sign in alone, to confirm who the person is, or as the second step of signing in. */
export type PasskeyUse = 'sign_in' | 'confirm' | 'second_factor'

/** Installing an authenticator app takes longer than using one. */
const validMs = (kind: TicketKind): number => (kind === 'add_totp' ? 30 : 5) * MINUTE_MS

export interface Ticket {
  /** Null as long as nobody has said who they are. */
  userId: string | null
  /** Identifies the browser that got the ticket. No other browser can use it. */
  browser: string
  /** Depends on the kind. */
  data: string
  expiresAtMs: number
}

/**
 * Issues sealed texts that a browser keeps between two requests. Every instance can read them, and requests of strangers
 * cost the database nothing.
 */
export class Tickets {
  readonly #database: Database
  readonly #keyring: Keyring

  constructor(database: Database, keyring: Keyring) {
    this.#database = database
    this.#keyring = keyring
  }

  issue(kind: TicketKind, ticket: Omit<Ticket, 'expiresAtMs'>, nowMs: number): string {
    return this.#keyring.seal(JSON.stringify({ kind, ...ticket, expiresAtMs: nowMs + validMs(kind) }))
  }

  /** Undefined if it is not a ticket of this kind and this browser, or has expired. */
  async read(kind: TicketKind, sealed: string, browser: string, nowMs: number): Promise<Ticket | undefined> {
    const ticket = await this.#open(sealed, nowMs)
    const isValid = ticket?.kind === kind && ticket.browser === browser && ticket.expiresAtMs > nowMs
    return isValid ? ticket : undefined
  }

  async #open(sealed: string, nowMs: number): Promise<(Ticket & { kind: TicketKind }) | undefined> {
    try {
      return JSON.parse(await this.#keyring.open(sealed, this.#database.read, nowMs))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      return undefined
    }
  }
}
