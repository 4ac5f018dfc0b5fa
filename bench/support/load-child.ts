/** The process that makes the load. One at a time, it runs what it is asked for and answers what it saw. */
import { connect, type Socket } from 'node:net'
import { endWithParent } from './children.ts'
import type { Load, Outcome } from './load.ts'

endWithParent(async () => {})
process.on('message', async (load: Load) => process.send?.(await run(load)))
process.send?.({})

/**
 * Written by hand on plain sockets: a full HTTP client costs more per request than the servers measured here,
 * and would be what is measured.
 */
async function run(load: Load): Promise<Outcome> {
  const latencies: number[] = []
  const refused: Record<string, number> = {}
  const endAt = performance.now() + load.seconds * 1000
  const startedAt = performance.now()
  let sent = 0

  const mayGoOn = () => sent < (load.requestsMax ?? Number.POSITIVE_INFINITY) && performance.now() < endAt
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      const next = () => {
        if (!mayGoOn()) return void socket.end(resolve)
        sentAt = performance.now()
        socket.write(requestText(load, sent++))
      }
      onAnswers(
        socket,
        (status) => {
          latencies.push(performance.now() - sentAt)
          if (status < 200 || status > 299) refused[status] = (refused[status] ?? 0) + 1
          if (load.pauseMs === undefined) next()
          else setTimeout(next, load.pauseMs)
        },
        reject,
      )
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('connect', next)
    })
  await Promise.all(Array.from({ length: load.connections }, connection))

  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    answers: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    refused,
  }
}

const texts = new WeakMap<Load, string>()

/** `{n}` stands for a number that no other request of this load has. */
function requestText(load: Load, n: number): string {
  let text = texts.get(load)
  if (text === undefined) {
    const { method, path, headers, body = '' } = load
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    // The number has as many digits as its place, so the length of the body is known.
    const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body.replaceAll('{n}', padded(0)))}\r\n`
    text = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${load.port}\r\n${lines.join('')}${length}\r\n${body}`
    texts.set(load, text)
  }
  return text.includes('{n}') ? text.replaceAll('{n}', padded(n)) : text
}

const padded = (n: number): string => String(n).padStart(9, '0')

const LENGTH = /\r\ncontent-length: *(\d+)/i

/** Calls `answered` for each whole answer. Only answers with a length are understood; all of ours have one. */
function onAnswers(socket: Socket, answered: (status: number) => void, failed: (error: Error) => void): void {
  let pending: Buffer | undefined
  socket.on('data', (chunk) => {
    const received = chunk as Buffer
    const bytes = pending === undefined ? received : Buffer.concat([pending, received])
    pending = bytes
    const headEnd = bytes.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = bytes.toString('latin1', 0, headEnd)
    const length = LENGTH.exec(head)?.[1]
    if (length === undefined) return failed(new Error(`an answer without a length: ${head}`))
    if (bytes.length < headEnd + 4 + Number(length)) return
    pending = undefined
    answered(Number(head.slice(9, 12)))
  })
}
