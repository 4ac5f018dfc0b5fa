import { expect, test, vi } from 'vitest'
import type { RawRequest } from '../http/server/raw-request.ts'
import type { RequestEntry } from '../telemetry/logging.ts'
import { sendPage, sendRaw } from './send.ts'
import type { StoredPage } from './stored-page.ts'

const PAGE: StoredPage = {
  status: 200,
  body: Buffer.from('<p>Grüße</p>'),
  etag: '"known"',
  headers: ['vary', 'accept-encoding', 'content-type', 'text/html'],
  unchangedHeaders: ['vary', 'accept-encoding'],
  mayBeKept: true,
}

function exchange(method = 'GET', headers = {}) {
  const request = { method, headers, arrivedMs: performance.now(), loggedAs: { orgId: 'org' } }
  const response = { writeHead: vi.fn(), end: vi.fn() }
  const recorded: RequestEntry[] = []
  const server = { record: (entry: RequestEntry) => void recorded.push(entry) }
  return { raw: { request, response } as unknown as RawRequest, response, server, recorded }
}

test('a page is sent with its headers, those of the response, and the ID that is in the log', () => {
  const { raw, response, server, recorded } = exchange()
  sendPage(server, raw, 'page.page', PAGE, ['cache-control', 'no-cache'], 'id')
  const own = ['cache-control', 'no-cache', 'etag', '"known"', 'x-request-id', 'id']
  expect(response.writeHead).toHaveBeenCalledWith(200, [...PAGE.headers, ...own])
  expect(recorded).toMatchObject([{ operation: 'page.page', status: 200, requestId: 'id', orgId: 'org' }])
})

test('a visitor who has the page gets 304 without a body', () => {
  const { raw, response, server, recorded } = exchange('GET', { 'if-none-match': '"known"' })
  sendPage(server, raw, 'page.page', PAGE, [], 'id')
  expect(response.writeHead).toHaveBeenCalledWith(304, [
    ...PAGE.unchangedHeaders,
    ...['etag', '"known"', 'x-request-id', 'id'],
  ])
  expect(response.end).toHaveBeenCalledWith()
  expect(recorded).toMatchObject([{ status: 304 }])
})

test('a page without an ETag is always sent', () => {
  const { raw, response, server } = exchange('GET', { 'if-none-match': '*' })
  sendPage(server, raw, 'page.missing', { ...PAGE, status: 404, etag: undefined }, [])
  expect(response.writeHead).toHaveBeenCalledWith(404, expect.not.arrayContaining(['etag']))
})

test('a short body is sent as a string of its bytes, a long one as it is, and none to HEAD', () => {
  const sent = (body: Buffer | undefined, method?: string) => {
    const { raw, response, server } = exchange(method)
    sendRaw(server, raw, 'page.page', { status: 200, headers: [], body })
    return response.end.mock.calls[0]
  }
  expect(sent(PAGE.body)).toEqual([PAGE.body.toString('latin1'), 'latin1'])
  const long = Buffer.alloc(20_000)
  expect(sent(long)).toEqual([long])
  expect(sent(PAGE.body, 'HEAD')).toEqual([])
  expect(sent(undefined)).toEqual([])
})
