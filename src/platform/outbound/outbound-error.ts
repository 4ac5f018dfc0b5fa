/**
 * Why a request failed. `refused_…`: our own rule, before any connection. `connect`, `tls` and `protocol`: the stage in
 * which it failed.
 */
export type OutboundErrorKind =
  | 'refused_url'
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'protocol'

/** Its message may be shown to the customer who provided the URL, so it never contains a resolved IP address. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The message of `protocol`. */
export const PROTOCOL_FAILURE = 'The host closed the connection or did not send a valid HTTP response'
