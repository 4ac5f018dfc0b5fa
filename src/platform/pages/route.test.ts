import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createServer, type Server } from '../http/server/server.ts'
import { createLogger, type RequestEntry } from '../telemetry/logging.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { redirect, respondJson } from './page-response.ts'
import { type PageRoute, route } from './route.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** Serves one route, and keeps what would be logged. */
async function serve(given: Partial<PageRoute> & Pick<PageRoute, 'respond'>) {
  const created = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
  server = created
  const recorded: RequestEntry[] = []
  created.record = (entry) => void recorded.push(entry)
  route(created, { method: 'GET', url: '/c/:slug', operation: 'chat.page', ...given })
  const url = await created.listen({ host: '127.0.0.1', port: 0 })
  return { url, recorded, get: (path = '/c/acme', init: RequestInit = {}) => fetch(url + path, init) }
}

test('a response is sent with the ID that is in the log, and with all cookies', async () => {
  const { get, recorded } = await serve({
    respond: ({ params, query }) => redirect(`/c/${params.slug}?lang=${query.get('lang')}`, ['a=1', 'b=2']),
  })
  const response = await get('/c/acme?lang=de', { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/c/acme?lang=de'])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  const requestId = response.headers.get('x-request-id')
  expect(recorded).toMatchObject([{ operation: 'chat.page', status: 303, requestId }])
})

test('the log says what the handler knows about the request', async () => {
  const { get, recorded } = await serve({
    respond: async ({ request }) => {
      request.loggedAs = { orgId: 'org', error: 'gone' }
      return { ...respondJson(410, {}), operation: 'account.team' }
    },
  })
  await get()
  expect(recorded).toMatchObject([{ operation: 'account.team', status: 410, orgId: 'org', error: 'gone' }])
})

test('a route can be as if it did not exist', async () => {
  const { get, recorded } = await serve({ respond: () => 'not_found' })
  expect((await get()).status).toBe(404)
  expect(recorded).toMatchObject([{ status: 404, error: 'not_found' }])
})

test('a handler can take over and send the response itself, which is logged with its status', async () => {
  const { get, recorded } = await serve({
    respond: async ({ response, takeOver }) => {
      takeOver()
      response.writeHead(202).end('streamed')
      return undefined
    },
  })
  expect(await (await get()).text()).toBe('streamed')
  expect(recorded).toMatchObject([{ status: 202 }])
})

test('HEAD gets the headers of GET, unless the route has none', async () => {
  const { get } = await serve({ respond: () => respondJson(200, { a: 1 }) })
  expect((await get('/c/acme', { method: 'HEAD' })).status).toBe(200)
  await server?.close()
  const other = await serve({ respond: () => respondJson(200, {}), hasHead: false })
  expect((await other.get('/c/acme', { method: 'HEAD' })).status).toBe(405)
})

test('the signal is aborted when the client leaves before the response', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>()
  const { url } = await serve({
    respond: async ({ signal }) => {
      resolve(signal)
      if (!signal.aborted) await new Promise((left) => signal.addEventListener('abort', left, { once: true }))
      return respondJson(200, {})
    },
  })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /c/acme HTTP/1.1\r\nHost: x\r\n\r\n')
  const signal = await promise
  socket.destroy()
  await new Promise((left) => (signal.aborted ? left(undefined) : signal.addEventListener('abort', left)))
  expect(signal.reason).toMatchObject({ name: 'ClientLeft' })
})
