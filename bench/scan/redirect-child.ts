/**
 * A bare HTTP server that redirects: the upper limit for scans, as if resolving, deciding and counting cost nothing.
 * With a file it is the durable limit and does the minimum that the service must do: it appends each request to the
 * file and responds once the file is synced. While one batch is synced, the next one collects.
 */
import { fdatasync, openSync, write } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { endWithParent, reportUsage } from '../support/children.ts'
import type { RedirectSettings } from './redirects.ts'

const append = promisify(write)
const sync = promisify(fdatasync)

let batches = 0

process.once('message', ({ headers, file }: RedirectSettings) => {
  const redirect = (response: ServerResponse) => response.writeHead(302, headers).end()
  const handle =
    file === undefined ? (_: IncomingMessage, response: ServerResponse) => redirect(response) : durably(file, redirect)
  const server = createServer((request, response) => {
    if (request.url === '/v1/me') sendMe(response)
    else handle(request, response)
  })
  endWithParent(async () => server.close().closeAllConnections())
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
  })
})
reportUsage(() => batches)
process.send?.({})

function durably(file: string, respond: (response: ServerResponse) => void) {
  const descriptor = openSync(file, 'a')
  let waiting: ServerResponse[] = []
  let lines = ''
  let isRunning = false

  const run = async () => {
    // Wait one turn of the event loop so that requests from the same turn share the batch.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting
      const text = lines
      waiting = []
      lines = ''
      await append(descriptor, text)
      await sync(descriptor)
      batches++
      for (const response of batch) respond(response)
    }
    isRunning = false
  }
  return (request: IncomingMessage, response: ServerResponse) => {
    const { url, headers, socket } = request
    lines += `${JSON.stringify({ at: Date.now(), url, from: socket.remoteAddress, headers })}\n`
    waiting.push(response)
    if (isRunning) return
    isRunning = true
    void run()
  }
}

const ME = JSON.stringify({ object: 'me' })

function sendMe(response: ServerResponse): void {
  response.writeHead(200, ['content-type', 'application/json', 'content-length', String(ME.length)]).end(ME)
}
