/** The process that observes. It follows one order at a time. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '../../bench/support/children.ts'
import type { Kind, Observations, Observed, ObservedTenant, ObserverOrder } from './observer.ts'
import { visitorHeaders } from './sending.ts'

const INTERVAL_MS = 50
/** Nobody waits longer than this. */
const TIMEOUT_MS = 20_000
const FAILURE_LENGTH_MAX = 200

endWithParent(async () => {})
process.on('message', async (order: ObserverOrder) => process.send?.(await observe(order)))
process.send?.({})

interface Reply {
  ms: number
  text: string
}

type Send = (
  tenant: ObservedTenant,
  expected: number,
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Reply>

let lastNumber = 0

async function observe({ port, tenants, kinds, seconds, isFresh }: ObserverOrder): Promise<Observations> {
  const agent = new http.Agent({ keepAlive: !isFresh })
  const observations: Observations = { byKind: {}, groups: [], scans: [] }
  const send: Send = (...request) => timed(port, agent, ...request)
  await Promise.all(
    kinds.map(async (kind) => {
      observations.byKind[kind] = await observeKind(seconds, () => {
        const number = ++lastNumber
        return once(kind, tenants[number % tenants.length] as ObservedTenant, number, send, observations)
      })
    }),
  )
  agent.destroy()
  return observations
}

async function observeKind(seconds: number, request: () => Promise<number>): Promise<Observed> {
  const latencies: number[] = []
  let failed = 0
  let firstFailure: string | undefined
  const running: Promise<void>[] = []
  const startedMs = performance.now()
  for (let n = 0; n * INTERVAL_MS < seconds * 1000; n++) {
    await sleep(Math.max(0, startedMs + n * INTERVAL_MS - performance.now()))
    running.push(
      request().then(
        (ms) => void latencies.push(ms),
        (error: Error) => {
          failed++
          firstFailure ??= error.message
          latencies.push(TIMEOUT_MS)
        },
      ),
    )
  }
  await Promise.all(running)
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN
  return { count: latencies.length, failed, ...(firstFailure && { firstFailure }), p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Resolves with the duration. */
async function once(
  kind: Kind,
  tenant: ObservedTenant,
  number: number,
  send: Send,
  { groups, scans }: Observations,
): Promise<number> {
  const { slug, knowledgeBase, formSlug } = tenant
  const article = {
    knowledge_base_id: knowledgeBase.id,
    title: `Oiling ${number}`,
    slug: `page-${number}`,
    content: `# Oiling\n\nOil it **once** a year, ${number}.`,
    status: 'published',
  }
  switch (kind) {
    case 'scan': {
      const { ms } = await send(tenant, 302, 'GET', `/${slug}?n=${number}`)
      scans.push(number)
      return ms
    }
    case 'health':
      return (await send(tenant, 200, 'GET', '/healthz')).ms
    case 'me':
      return (await send(tenant, 200, 'GET', '/v1/me')).ms
    case 'write': {
      const { ms, text } = await send(tenant, 201, 'POST', '/v1/qr-groups', { name: `Group ${number}` })
      groups.push(JSON.parse(text).id)
      return ms
    }
    case 'article':
      return (await send(tenant, 201, 'POST', '/v1/articles', article)).ms
    case 'page':
      await send(tenant, 201, 'POST', '/v1/articles', article)
      // Not rendered yet: it was created a moment ago.
      return (await send(tenant, 200, 'GET', `/kb/${knowledgeBase.slug}/articles/page-${number}`)).ms
    case 'form': {
      const form = new URLSearchParams({ what: `The belt is loose, ${number}.` })
      // Every visitor may send only a few forms a minute.
      const visitor = `198.51.${(number >> 8) & 255}.${number & 255}`
      return (await send(tenant, 303, 'POST', `/p/${formSlug}`, form, visitorHeaders(visitor))).ms
    }
  }
}

function timed(
  port: number,
  agent: http.Agent,
  { apiKey }: ObservedTenant,
  expected: number,
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Reply> {
  const startedMs = performance.now()
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }), ...more }
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === expected) resolve({ ms: performance.now() - startedMs, text })
        else
          reject(new Error(`${method} ${path} returned ${response.statusCode}: ${text.slice(0, FAILURE_LENGTH_MAX)}`))
      })
    })
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    request.end(body instanceof URLSearchParams ? body.toString() : body && JSON.stringify(body))
  })
}
