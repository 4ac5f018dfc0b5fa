import type { z } from 'zod'
import type { Position } from '../contract/pagination.ts'
import type { Database } from '../db/index.ts'
import type { Keyring } from '../keyring/index.ts'
import type { RateLimiter } from '../rate-limit/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Authenticator, Credential } from './context.ts'
import type { RequestIdentity } from './idempotency.ts'
import type { Route } from './routes.ts'
import type { RunningKeys } from './running-keys.ts'

/** What the steps need of the process they run in. */
export interface Services {
  readonly database: Database
  readonly keyring: Keyring
  readonly limiter: RateLimiter
  readonly authenticators: readonly Authenticator[]
  readonly runningKeys: RunningKeys
  readonly metrics: Metrics
  readonly log: Logger
  readonly clock: () => number
  /** Tests parse every answer with its schema here, and fail on a key that was not declared. */
  readonly checkAnswer?: (schema: z.ZodType, answer: unknown) => void
}

export interface Answer {
  status: number
  /** JSON, already written; empty for 204 and 304. */
  body: string | Buffer
  requestId: string
  /** Of a body that is not JSON. */
  mediaType?: string
}

/** The request as it came, untouched. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer | undefined
  /** Asked for only when it is needed: the system has to be asked, too. */
  readonly address: () => string
}

/** One request on its way through the steps: each reads what earlier ones found and adds its own. */
export class Exchange {
  readonly route: Route
  readonly sent: Sent
  readonly requestId: string
  readonly nowMs: number
  /** For the answer, whichever it will be. */
  headers: Record<string, string> = {}
  credential: Credential | undefined
  params: Record<string, string | number> = {}
  query: Record<string, unknown> | undefined
  after: Position | undefined
  json: unknown
  body: Record<string, unknown> | undefined
  /** Set when the caller sent an Idempotency-Key with a POST. */
  idempotencyKey: string | undefined
  identity: RequestIdentity | undefined
  /** Called when the exchange is over, however it went. */
  finished: (() => void) | undefined
  /** Once set, the steps that are left do not run. */
  answer: Answer | undefined

  constructor(route: Route, sent: Sent, requestId: string, nowMs: number) {
    this.route = route
    this.sent = sent
    this.requestId = requestId
    this.nowMs = nowMs
  }

  /** The caller, in steps that come after authentication. */
  get caller(): Credential {
    if (this.credential === undefined) throw new Error('the steps are out of order: nobody is authenticated yet')
    return this.credential
  }
}

export type Step = (exchange: Exchange, services: Services) => void | Promise<void>
