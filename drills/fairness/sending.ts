import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The service that is attacked. */
export interface Target {
  port: number
  /** Missing when a stranger attacks. */
  apiKey?: string
}

/** How often each status was received; `cut` for connections that were closed without a response. */
export type Statuses = Record<string, number>

/** A refused request is repeated after this time. The attacker ignores `Retry-After`. */
const REFUSED_PAUSE_MS = 100

/** Not the address of the observers, which must not share a limit with the attacker. */
const addressOf = (n: number): string => `127.0.${1 + Math.floor(n / 200)}.${2 + (n % 200)}`

/** Runs `once` again and again, this many times at once, until the process ends. */
export async function repeat(parallel: number, once: () => Promise<number | 'cut'>): Promise<void> {
  const forever = async (): Promise<never> => {
    for (;;) {
      const status = await once()
      if (status === 'cut' || status === 429 || status === 503) await sleep(REFUSED_PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: parallel }, forever))
}

/** The address of one of very many visitors. */
export const newAddress = (number: number): string => `203.0.${(number >> 8) & 255}.${number & 255}`

const agent = new http.Agent({ keepAlive: true, localAddress: addressOf(0) })

/** The headers of a form that a visitor with this address sends from our own page. */
export const visitorHeaders = (address: string): Record<string, string> => ({
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  'x-forwarded-for': address,
})

export function send(
  { port, apiKey }: Target,
  statuses: Statuses,
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<number | 'cut'> {
  const headers = {
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...more,
  }
  return new Promise((resolve) => {
    const end = (status: number | 'cut') => {
      count(statuses, status)
      resolve(status)
    }
    const request = http.request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => end(response.statusCode ?? 'cut'))
      response.on('error', () => end('cut'))
    })
    request.on('error', () => end('cut'))
    if (body instanceof URLSearchParams) request.end(body.toString())
    else request.end(body && (Buffer.isBuffer(body) ? body : JSON.stringify(body)))
  })
}

/** Returns the first status, or `cut`, once the service or the client has closed the connection. */
export function sendAndLeave(port: number, statuses: Statuses, bytes: string): Promise<number | 'cut'> {
  return new Promise((resolve) => {
    let first: number | 'cut' = 'cut'
    const socket = connect({ host: '127.0.0.1', port, localAddress: addressOf(0) })
    socket.on('data', (data) => {
      if (first === 'cut') first = Number(data.toString('latin1').slice(9, 12))
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      count(statuses, first)
      resolve(first)
    })
    socket.end(bytes)
  })
}

/** Opens this many connections, from an address for every 200 of them, and leaves them open. */
export async function open(
  connections: number,
  port: number,
  statuses: Statuses,
  use: (socket: Socket) => void,
): Promise<void> {
  for (let n = 0; n < connections; n++) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: addressOf(1 + Math.floor(n / 200)) })
    socket.on('connect', () => use(socket))
    socket.on('error', () => {})
    socket.on('close', () => count(statuses, 'cut'))
    if (n % 50 === 0) await sleep(5)
  }
}

export function count(statuses: Statuses, status: number | string): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}
