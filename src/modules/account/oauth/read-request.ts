import type { IncomingMessage } from 'node:http'

/**
 * A request whose body we have read already, within our limits, for a library that reads bodies itself. It also says that
 * the request came to the address of this installation, which it did before proxies passed it on.
 */
export function asReadRequest(request: IncomingMessage, body: Buffer, appUrl: string): IncomingMessage {
  const { protocol, host } = new URL(appUrl)
  const forwarded = { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host }
  return Object.create(request, {
    headers: { value: { ...request.headers, ...forwarded } },
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: { value: () => [body] },
  })
}
