/**
 * A bare HTTP server that redirects: what the scan path could reach if resolving, deciding and counting cost nothing.
 * With a file it is the durable limit, and does what the service must do at least: it writes down what was asked, and
 * answers when the disk has it. While one batch is synced, the next one gathers.
 */
import { fdatasync, openSync, write } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { endWithParent, tellUsage } from '../support/children.ts'
import type { RedirectSettings } from './redirects.ts'

const append = promisify(write)
const sync = promisify(fdatasync)

let batches = 0

process.once('message', ({ headers, file }: RedirectSettings) => {
  const redirect = (response: ServerResponse) => response.writeHead(302, headers).end()
  const take =
    file === undefined ? (_: IncomingMessage, response: ServerResponse) => redirect(response) : durably(file, redirect)
  const server = createServer((request, response) => {
    if (request.url === '/v1/me') answerTrivially(response)
    else take(request, response)
  })
  endWithParent(async () => server.close().closeAllConnections())
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
  })
})
tellUsage(() => batches)
process.send?.({})

function durably(file: string, answer: (response: ServerResponse) => void) {
  const descriptor = openSync(file, 'a')
  let gathering: ServerResponse[] = []
  let lines = ''
  let isRunning = false

  const run = async () => {
    // Whoever came in the same turn of the event loop goes along.
    await new Promise(setImmediate)
    while (gathering.length > 0) {
      const batch = gathering
      const text = lines
      gathering = []
      lines = ''
      await append(descriptor, text)
      await sync(descriptor)
      batches++
      for (const response of batch) answer(response)
    }
    isRunning = false
  }
  return (request: IncomingMessage, response: ServerResponse) => {
    const { url, headers, socket } = request
    lines += `${JSON.stringify({ at: Date.now(), url, from: socket.remoteAddress, headers })}\n`
    gathering.push(response)
    if (isRunning) return
    isRunning = true
    void run()
  }
}

const TRIVIAL = JSON.stringify({ object: 'me' })

function answerTrivially(response: ServerResponse): void {
  response.writeHead(200, ['content-type', 'application/json', 'content-length', String(TRIVIAL.length)]).end(TRIVIAL)
}
