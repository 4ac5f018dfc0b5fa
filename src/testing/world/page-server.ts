import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** Starts a server for the tests of a file, for pages that are not the service's own. */
export function usePageServer(handler: RequestListener): { readonly origin: string } {
  const server = createServer(handler)
  beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return {
    get origin() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  }
}
