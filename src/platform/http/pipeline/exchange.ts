import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { FairQueue, LoopTurns } from '../../bounded/index.ts'
import type { RefusedItem } from '../../contract/operation.ts'
import type { Position } from '../../contract/pagination.ts'
import type { Database } from '../../db/index.ts'
import type { Keyring } from '../../keyring/index.ts'
import type { FailedAttempts, RateLimiter } from '../../rate-limit/index.ts'
import type { Settling } from '../../recording/index.ts'
import type { Logger } from '../../telemetry/logging.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Body, BodyReader } from '../bodies/body-reader.ts'
import type { Upload, UploadReader } from '../bodies/upload-reader.ts'
import type { Authenticator, Credential, SessionAuthenticator, UseObserver } from './context.ts'
import type { RequestIdentity } from './idempotency.ts'
import type { Route } from './routes.ts'
import type { RunningKeys } from './running-keys.ts'

/** What the steps of the pipeline use. */
export interface Services {
  readonly database: Database
  readonly settling: Settling
  readonly keyring: Keyring
  readonly limiter: RateLimiter
  /** Failed authentication, by the client's address. */
  readonly failedAttempts: FailedAttempts
  readonly authenticators: readonly Authenticator[]
  readonly sessions: SessionAuthenticator
  readonly uses: UseObserver
  /** Where a client without a valid credential finds out how to get one, as in `WWW-Authenticate` (RFC 9728). */
  readonly resourceMetadataUrl: string
  readonly runningKeys: RunningKeys
  readonly bodies: BodyReader
  readonly uploads: UploadReader
  readonly turns: LoopTurns
  readonly lists: FairQueue
  readonly metrics: Metrics
  readonly log: Logger
  readonly clock: () => number
  /** Tests parse every response with its schema here and fail on an undeclared key. */
  readonly checkResponse?: (schema: z.ZodType, response: unknown) => void
}

export interface HttpResponse {
  status: number
  /** Serialised; empty for 204 and 304. */
  body: string | Buffer
  requestId: string
  /** Sent instead of `body`. */
  stream?: { chunks: AsyncIterable<Uint8Array | string>; sizeBytes: number | undefined }
  /** Set when the body is not JSON. */
  mediaType?: string
  /** Set when the response is an error; for the request log. */
  errorCode?: string
}

/** The request as it was sent. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The step that reads the body needs the request itself. */
  readonly request: IncomingMessage
  /** The client's address. A function, because reading it costs a system call. */
  readonly address: () => string
  readonly hasClientLeft: () => boolean
  /** Aborted when the client leaves before it has the response. A function, because few handlers need it. */
  readonly signal: () => AbortSignal
}

/** The state of one request. Each step reads what earlier steps have set and adds its own results. */
export class Exchange {
  readonly route: Route
  readonly sent: ReceivedRequest
  readonly requestId: string
  readonly nowMs: number
  /** Headers of the response, also when it is an error. */
  headers: Record<string, string> = {}
  credential: Credential | undefined
  params: Record<string, string | number> = {}
  query: Record<string, unknown> | undefined
  after: Position | undefined
  rawBody: Body | undefined
  /** Set instead of `rawBody` if the body is a file. */
  upload: Upload | undefined
  json: unknown
  body: Record<string, unknown> | undefined
  /** Entries of the body's `items` that are not valid, which the handler reports. */
  refused: readonly RefusedItem[] = []
  /** Set when the caller sent an Idempotency-Key with a POST. */
  idempotencyKey: string | undefined
  identity: RequestIdentity | undefined
  /** Called at the end, after success and failure. */
  finished: (() => void) | undefined
  /** Once set, the remaining steps do not run. */
  response: HttpResponse | undefined

  constructor(route: Route, sent: ReceivedRequest, requestId: string, nowMs: number) {
    this.route = route
    this.sent = sent
    this.requestId = requestId
    this.nowMs = nowMs
  }

  /** Only steps after authentication may read it. */
  get caller(): Credential {
    if (this.credential === undefined)
      throw new Error('the steps are out of order: the request is not authenticated yet')
    return this.credential
  }
}

export type Step = (exchange: Exchange, services: Services) => void | Promise<void>
