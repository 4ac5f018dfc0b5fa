/** Failures that say nothing about the next request: a question can cause them. */
const OF_REQUEST = ['bad_request', 'too_large', 'too_long'] as const

/** Why a request failed. `timeout`: nothing arrived. `too_long`: it arrived, but did not end. */
export type LlmFailure =
  | (typeof OF_REQUEST)[number]
  | 'connect'
  | 'refused'
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'malformed'

/** Has nothing of what the endpoint sent: servers repeat keys and texts in their messages. */
export class LlmError extends Error {
  readonly kind: LlmFailure
  readonly status: number | undefined

  constructor(kind: LlmFailure, message: string, status?: number) {
    super(message)
    this.name = 'LlmError'
    this.kind = kind
    this.status = status
  }

  /** Whether the next request of anybody will probably fail, too. */
  get isOfEndpoint(): boolean {
    return !OF_REQUEST.some((kind) => kind === this.kind)
  }
}

const KINDS: Readonly<Record<number, LlmFailure>> = {
  400: 'bad_request',
  413: 'bad_request',
  422: 'bad_request',
  429: 'rate_limited',
}

export function toStatusError(status: number): LlmError {
  const kind = KINDS[status] ?? (status >= 500 ? 'server_error' : 'refused')
  return new LlmError(kind, `the endpoint responded with ${status}`, status)
}
