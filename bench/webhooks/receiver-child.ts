/**
 * The receiver of all deliveries, in a process of its own: it answers 200 and counts. What is sent to `/hang` it takes
 * and never answers.
 */
import { createServer } from 'node:http'
import { endWithParent } from '../support/children.ts'
import { type Arrivals, HANG, monotonicMs, type ReceiverReady } from './receiver.ts'

let count = 0
let expected = 0
let firstAtMs = 0

const server = createServer((request, response) => {
  request.resume()
  if (request.url === HANG) return
  request.on('end', () => {
    const nowMs = monotonicMs()
    if (++count === 1) firstAtMs = nowMs
    response.writeHead(200).end()
    if (count === expected) process.send?.({ firstAtMs, lastAtMs: nowMs } satisfies Arrivals)
  })
})
process.on('message', (message: { expect: number }) => {
  count = 0
  expected = message.expect
})
endWithParent(async () => server.close().closeAllConnections())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send?.({ port } satisfies ReceiverReady)
})
