/**
 * Why there is no answer: `refused_…` is our own rule, and nothing was dialled; `connect`, `tls` and `protocol` say how
 * far it came before it broke.
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

/** Its message may be shown to the customer who gave the address: it never names an address that was looked up. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
