/**
 * The process that sends the scans. It shares the CPUs with the server that it measures, so each request must cost as
 * little as possible: request texts are built in advance, each socket reads into one buffer, and only the status and
 * the end of a response are parsed.
 */
import { connect } from 'node:net'
import { endWithParent } from '../support/children.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import { PHONE_HEADERS, type ScanLoad, type ScanOutcome } from './load.ts'

endWithParent(async () => {})
process.on('message', async (load: ScanLoad) => process.send?.(await run(load)))
process.send?.({})

/** Larger than any response here. If one arrives in parts, only its last part ends with an empty line. */
const READ_BYTES = 16 * 1024
const HEAD_END = 0x0d0a0d0a
const STATUS_AT = 'HTTP/1.1 '.length
const REDIRECT = '302'

async function run({ port, paths, connections, seconds, requestsMax }: ScanLoad): Promise<ScanOutcome> {
  const requests = paths.map((path) => requestOf(port, path))
  const latencies = new LatencyHistogram()
  const unexpected: Record<string, number> = {}
  const sentMax = requestsMax ?? Number.POSITIVE_INFINITY
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  let sent = 0

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0
      let isStart = true
      const send = (nowMs: number) => {
        if (sent >= sentMax || nowMs >= endAt) {
          resolve()
          socket.destroy()
          return
        }
        sent++
        sentAt = nowMs
        socket.write(requests[Math.floor(Math.random() * requests.length)] as Buffer)
      }
      const onRead = (size: number, bytes: Uint8Array): boolean => {
        const buffer = bytes as Buffer
        if (isStart) {
          const status = buffer.toString('latin1', STATUS_AT, STATUS_AT + REDIRECT.length)
          if (status !== REDIRECT) unexpected[status] = (unexpected[status] ?? 0) + 1
        }
        // A redirect has no body, so it ends with its head.
        isStart = size >= 4 && buffer.readUInt32BE(size - 4) === HEAD_END
        if (!isStart) return true
        const nowMs = performance.now()
        latencies.add(nowMs - sentAt)
        send(nowMs)
        return true
      }
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: onRead },
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('connect', () => send(performance.now()))
    })
  await Promise.all(Array.from({ length: connections }, connection))

  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    responses: latencies.count,
    perSecond: latencies.count / elapsedSeconds,
    p50Ms: latencies.at(0.5),
    p99Ms: latencies.at(0.99),
    maxMs: latencies.maxMs,
    generatorMicrosEach: (user + system) / latencies.count,
    unexpected,
  }
}

function requestOf(port: number, path: string): Buffer {
  const headers = Object.entries(PHONE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: keep-alive\r\n${headers.join('')}\r\n`,
  )
}
