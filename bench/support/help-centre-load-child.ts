/**
 * The process that reads pages. It shares the processors with what it measures, so that of an answer it only looks at
 * the head, and counts the bytes of the rest. Unlike the generator for the API it takes 304 for an answer, which has
 * neither a body nor a length.
 */
import { connect, type Socket } from 'node:net'
import { endWithParent } from './children.ts'
import type { Reading, ReadingOutcome } from './help-centre-load.ts'
import { LatencyHistogram } from './latency-histogram.ts'

endWithParent(async () => {})
process.on('message', async (reading: Reading) => process.send?.(await run(reading)))
process.send?.({})

async function run(reading: Reading): Promise<ReadingOutcome> {
  const latencies = new LatencyHistogram()
  const refused: Record<string, number> = {}
  const requestOf = requests(reading)
  const startedAt = performance.now()
  const endAt = startedAt + reading.seconds * 1000

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: reading.port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let isOver = false
      const send = (nowMs: number) => {
        isOver = nowMs >= endAt
        if (isOver) return void socket.end(resolve)
        sentAt = nowMs
        socket.write(requestOf())
      }
      const answered = (status: number) => {
        const nowMs = performance.now()
        latencies.add(nowMs - sentAt)
        if (status !== reading.status) refused[status] = (refused[status] ?? 0) + 1
        send(nowMs)
      }
      onAnswers(socket, answered, reject)
      socket.on('error', reject)
      socket.on('close', () => isOver || reject(new Error('the server closed a connection')))
      socket.on('connect', () => send(performance.now()))
    })
  await Promise.all(Array.from({ length: reading.connections }, connection))

  return {
    answers: latencies.count,
    perSecond: (latencies.count / (performance.now() - startedAt)) * 1000,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    refused,
  }
}

function requests({ port, path, outOf, headers }: Reading): () => string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const [before = '', after] = path.split('{n}')
  const rest = ` HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
  if (after === undefined) return () => `GET ${before}${rest}`
  return () => `GET ${before}${Math.floor(Math.random() * outOf)}${after}${rest}`
}

const HEAD_END = '\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
const LENGTH = /\r\ncontent-length: *(\d+)/i

/** Calls `answered` for each whole answer. On a connection there is never more than one on its way. */
function onAnswers(socket: Socket, answered: (status: number) => void, failed: (error: Error) => void): void {
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
      if (length === undefined && status !== 304) return failed(new Error(`an answer without a length: ${head}`))
      missing = (status === 304 ? 0 : Number(length)) - (head.length - end - HEAD_END.length)
      head = ''
    }
    if (missing <= 0) answered(status)
  })
}
