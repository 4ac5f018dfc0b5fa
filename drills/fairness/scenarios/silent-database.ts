import { setTimeout as sleep } from 'node:timers/promises'
import { SilentProxy } from '../../../src/testing/engines/silent-proxy.ts'
import type { Finding, Scenario } from '../finding.ts'
import { onStage, type Stage, type Tenant } from '../stage.ts'

const ANSWERED_MS_MAX = 5500
const RECOVERED_MS_MAX = 5500
const STOPPED_MS_MAX = 10_500
const GIVE_UP_MS = 60_000
const SILENT_MS = 15_000
const REQUESTS = 30

/** PostgreSQL keeps its connections open and stops answering. */
export const silentDatabase: Scenario = {
  number: 6,
  title: 'PostgreSQL stops answering',
  run: async (engine) => {
    if (engine !== 'postgres') return undefined
    await using proxies = new AsyncDisposableStack()
    let proxy: SilentProxy | undefined
    const reroute = async (url: string) => {
      proxy = proxies.use(await SilentProxy.start(url))
      return proxy.url
    }
    return await onStage(engine, { reroute }, async (stage) => {
      if (proxy === undefined) throw new Error('the proxy did not start')
      return await silence(stage, await stage.createTenant('observer'), proxy)
    })
  },
}

async function silence(stage: Stage, tenant: Tenant, proxy: SilentProxy): Promise<Finding> {
  const { client } = tenant
  await client.get('/v1/me')
  const waits: number[] = []
  const statuses = new Set<number | 'none'>()
  const request = async (isWrite: boolean) => {
    const startedMs = performance.now()
    const reply = isWrite ? client.post('/v1/qr-groups', { name: 'Group' }) : client.get('/v1/qr-groups')
    const given = sleep(GIVE_UP_MS, undefined, { ref: false }).then(() => undefined)
    const answered = await Promise.race([reply.catch(() => undefined), given])
    waits.push(performance.now() - startedMs)
    statuses.add(answered?.status ?? 'none')
  }
  proxy.silence()
  const pending = Array.from({ length: REQUESTS }, async (_, n) => {
    await sleep(n * 200)
    await request(n % 2 === 0)
  })
  await Promise.all([...pending, sleep(SILENT_MS)])
  proxy.resume()
  const recoveredMs = await timeUntil(
    async () => (await client.post('/v1/qr-groups', { name: 'Group' })).status === 201,
  )

  proxy.silence()
  const hanging = client.get('/v1/qr-groups').catch(() => {})
  await sleep(200)
  const stoppingMs = performance.now()
  stage.service.send('SIGTERM')
  const isStopped = await Promise.race([stage.service.ended.then(() => true), sleep(GIVE_UP_MS, false, { ref: false })])
  if (!isStopped) stage.service.send('SIGKILL')
  const stoppedMs = performance.now() - stoppingMs
  await hanging
  const longestMs = Math.max(...waits)
  const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
  return {
    holds:
      longestMs <= ANSWERED_MS_MAX &&
      [...statuses].every((status) => status === 503) &&
      recoveredMs <= RECOVERED_MS_MAX &&
      stoppedMs <= STOPPED_MS_MAX,
    figures: `longest wait ${seconds(longestMs)} (${[...statuses].join(', ')}); service again after ${seconds(recoveredMs)}; stopped after ${seconds(stoppedMs)}`,
  }
}

async function timeUntil(check: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < GIVE_UP_MS) {
    const isDone = await Promise.race([check().catch(() => false), sleep(GIVE_UP_MS, false, { ref: false })])
    if (isDone) break
    await sleep(50)
  }
  return performance.now() - startedMs
}
