/** The receiver of all deliveries. It counts requests and returns 200, except for `/hang`, where it never responds. */
import { createServer } from 'node:http'
import { endWithParent } from '../support/children.ts'
import { type Arrivals, HANG_PATH, monotonicMs, type ReceiverReady } from './receiver.ts'

let count = 0
let awaited = Number.POSITIVE_INFINITY
const arrivals: Arrivals = { firstAtMs: 0, lastAtMs: 0 }

const server = createServer((request, response) => {
  request.resume()
  if (request.url === HANG_PATH) return
  request.on('end', () => {
    arrivals.lastAtMs = monotonicMs()
    if (++count === 1) arrivals.firstAtMs = arrivals.lastAtMs
    response.writeHead(200).end()
    reportArrivals()
  })
})
process.on('message', (message: { reset: true } | { waitFor: number }) => {
  if ('reset' in message) {
    count = 0
    process.send?.({})
  } else {
    awaited = message.waitFor
    reportArrivals()
  }
})

function reportArrivals(): void {
  if (count < awaited) return
  awaited = Number.POSITIVE_INFINITY
  process.send?.(arrivals)
}

endWithParent(async () => server.close().closeAllConnections())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.({ port } satisfies ReceiverReady)
})
