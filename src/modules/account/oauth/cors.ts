import type { PageResponse } from '../../../platform/pages/index.ts'

/** Pages of any site may use the endpoints. No cookie counts there, so a page can do nothing that a program cannot. */
export const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, www-authenticate, x-request-id',
}

/** Answers a browser that asks whether a page of another site may send such a request. */
export const preflight = (methods: string): PageResponse => ({
  status: 204,
  headers: {
    ...OPEN,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'accept, content-type, mcp-protocol-version',
    'access-control-max-age': '3600',
  },
  body: '',
})
