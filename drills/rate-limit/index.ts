import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../src/testing/client.ts'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { createFirstKey, killProcesses, startServiceProcess } from '../../src/testing/process.ts'

export const about = 'the rate limit is exact across four processes, and Retry-After is correct (takes a minute)'

const PROCESSES = 4
const LIMIT = 1000
const REQUESTS = 2000

export async function run(): Promise<void> {
  await using postgres = await startPostgres()
  const settings = {
    DATABASE_URL: postgres.url('postgres'),
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    CONNECTIONS_PER_ADDRESS: String(REQUESTS),
  }
  try {
    const services = []
    for (let n = 0; n < PROCESSES; n++) services.push(await startServiceProcess(settings))
    const apiKey = await createFirstKey(settings)
    const clients = services.map(({ url }) => new Client(url, apiKey))
    const send = (n: number) => (clients[n % PROCESSES] as Client).get('/v1/me')

    const replies = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => send(n)))
    const admitted = replies.filter(({ status }) => status === 200).length
    const refused = replies.filter(({ status }) => status === 429).length
    console.log(
      `${REQUESTS} requests to ${PROCESSES} processes, limit ${LIMIT}: ${admitted} admitted, ${refused} refused`,
    )
    if (admitted !== LIMIT || admitted + refused !== REQUESTS) throw new Error('the limit was not exact')

    const last = await send(0)
    const retryAfter = Number(last.headers.get('retry-after'))
    await sleep(retryAfter * 1000)
    const { status } = await send(1)
    console.log(`after Retry-After (${retryAfter} s) another process returned ${status}`)
    if (status !== 200) throw new Error('Retry-After was not correct')
  } finally {
    await killProcesses()
  }
}
