/** The process that generates the load. It runs one load at a time and sends back the outcome. */
import { connect, type Socket } from 'node:net'
import { endWithParent } from './children.ts'
import type { Load, LoadResult } from './load.ts'

endWithParent(async () => {})
process.on('message', async (load: Load) => process.send?.(await run(load)))
process.send?.({})

/**
 * Uses plain sockets: a full HTTP client costs more per request than the servers measured here, so it would be the
 * bottleneck.
 */
async function run(load: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const unexpected: Record<string, number> = {}
  const endAt = performance.now() + load.seconds * 1000
  const startedAt = performance.now()
  let sent = 0

  const isRunning = () => sent < (load.requestsMax ?? Number.POSITIVE_INFINITY) && performance.now() < endAt
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      const next = () => {
        if (!isRunning()) return void socket.end(resolve)
        sentAt = performance.now()
        socket.write(requestText(load, sent++))
      }
      onResponses(
        socket,
        (status) => {
          latencies.push(performance.now() - sentAt)
          if (!isExpected(load, status)) unexpected[status] = (unexpected[status] ?? 0) + 1
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
    responses: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    unexpected,
  }
}

const texts = new WeakMap<Load, string>()

const isExpected = ({ status: expected }: Load, status: number): boolean =>
  expected === undefined ? status >= 200 && status <= 299 : status === expected

function requestText(load: Load, n: number): string {
  let text = texts.get(load)
  if (text === undefined) {
    const { method, path, headers, body = '' } = load
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    // The number is padded to a fixed width, so that every body has the same length.
    const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body.replaceAll('{n}', padded(0)))}\r\n`
    text = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${load.port}\r\n${lines.join('')}${length}\r\n${body}`
    texts.set(load, text)
  }
  if (!text.includes('{n}')) return text
  const { outOf } = load
  return text.replaceAll('{n}', outOf === undefined ? padded(n) : String(Math.floor(Math.random() * outOf)))
}

const padded = (n: number): string => String(n).padStart(9, '0')

const HEAD_END = '\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
const LENGTH = /\r\ncontent-length: *(\d+)/i
const NOT_MODIFIED = 304

/**
 * Calls `onResponse` for each complete response. A connection never has more than one request in flight. The generator
 * shares the CPUs with the server that it measures, so it parses only the head and counts the bytes of the body.
 */
function onResponses(socket: Socket, onResponse: (status: number) => void, onError: (error: Error) => void): void {
  let head = ''
  let missing = 0
  let status = 0
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      status = Number(head.slice(STATUS_AT, STATUS_AT + 3))
      const length = LENGTH.exec(head.slice(0, end))?.[1]
      if (length === undefined && status !== NOT_MODIFIED) {
        return onError(new Error(`a response without content-length: ${head}`))
      }
      missing = (status === NOT_MODIFIED ? 0 : Number(length)) - (head.length - end - HEAD_END.length)
      head = ''
    }
    if (missing <= 0) onResponse(status)
  })
}
