import type { ServerResponse } from 'node:http'

/** Why `Context.signal` is aborted. Nobody gets the response any more. */
export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}

/** Aborted when the client leaves before it has the whole response. */
export function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  if (response.destroyed) left.abort(new ClientLeft())
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new ClientLeft())
  })
  return left.signal
}
