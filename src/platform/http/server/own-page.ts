import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser sent the request from one of our own pages. Browsers set these headers themselves: a page of another
 * site cannot. `Origin` is for browsers that do not send `Sec-Fetch-Site`.
 */
export function isFromOwnPage(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  const changesNothing = method === 'GET' || method === 'HEAD'
  // `none`: the person entered the address, or opened a bookmark.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && changesNothing)
  const { origin } = headers
  return origin === undefined ? changesNothing : URL.canParse(origin) && new URL(origin).host === headers.host
}
