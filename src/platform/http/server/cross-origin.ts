/**
 * Pages of any site may call the API with a token or a key, and read the response. They cannot use the session of a person:
 * browsers do not let them read a response to a request with cookies, and we refuse such a request (`authenticate`).
 */
export const FROM_ANYWHERE: readonly [string, string] = ['access-control-allow-origin', '*']

/** Other headers than a page of another site may read anyway. */
export const EXPOSED: readonly [string, string] = [
  'access-control-expose-headers',
  [
    ...['content-disposition', 'etag', 'idempotent-replayed', 'retry-after', 'www-authenticate', 'x-request-id'],
    ...['limit', 'remaining', 'reset'].flatMap((name) => [`x-ratelimit-${name}-minute`, `x-ratelimit-${name}-hour`]),
    'x-waymark-warning',
  ].join(', '),
]

/** What a page of another site may send. Browsers ask before they send it, and remember the answer. */
export const preflightHeaders = (methods: string): Record<string, string> => ({
  allow: methods,
  'access-control-allow-methods': methods,
  'access-control-allow-headers': 'accept, authorization, content-type, idempotency-key, if-none-match',
  'access-control-max-age': '7200',
})

/** In the API, even an unknown path gets a JSON response. */
export const isOfApi = (path: string): boolean => path.startsWith('/v1') && /^\/v1(?:[/?]|$)/.test(path)
