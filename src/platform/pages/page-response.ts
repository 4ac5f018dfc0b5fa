/** A response, before it is sent. */
export interface PageResponse {
  status: number
  headers: Record<string, string | string[]>
  body: string | Buffer
  /** What logs and metrics call it, if the route has no single name. */
  operation?: string
}

type Headers = PageResponse['headers']

export const respondJson = (status: number, body: object, headers: Headers = {}): PageResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

/** Leads the browser to the page that it shows after a form. */
export const redirect = (location: string, cookies: readonly string[] = []): PageResponse => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) },
  body: '',
})

/** Empty if there is nothing to wait for. */
export const retryAfter = (seconds: number): Record<string, string> =>
  seconds > 0 ? { 'retry-after': String(seconds) } : {}
