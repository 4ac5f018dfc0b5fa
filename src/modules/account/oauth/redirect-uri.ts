const LENGTH_MAX = 1000
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** No character that it allows has a meaning in a Content-Security-Policy. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/

/**
 * Says what is wrong with a redirect URI; undefined if an application may use it. HTTPS, HTTP on the person's own device,
 * or a scheme of the application, which contains a dot because it begins with a domain (RFC 8252).
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  if (uri.length > LENGTH_MAX) return `A redirect URI must have at most ${LENGTH_MAX} characters.`
  const parsed = /\s/.test(uri) ? null : URL.parse(uri)
  if (parsed === null) return 'A redirect URI must be an absolute URI.'
  const { protocol, hostname, username, password } = parsed
  if (uri.includes('#')) return 'A redirect URI must not have a fragment.'
  if (username !== '' || password !== '') return 'A redirect URI must not have a user name or a password.'
  switch (protocol) {
    case 'https:':
      return HOST.test(hostname) && !LOOPBACK.has(hostname) ? undefined : 'Use http for a loopback address.'
    case 'http:':
      return LOOPBACK.has(hostname) ? undefined : 'Use https, or http with a loopback address.'
    default:
      return protocol.includes('.') ? undefined : 'Use https, or a scheme such as com.example.app.'
  }
}

/** What people are shown of a redirect URI: its host, or the scheme of an application on their device. */
export function describeRedirectUri(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

/** Where a form may lead if it ends at this redirect URI, as a source of a Content-Security-Policy. */
export function sourceOf(uri: string): string {
  const { protocol, origin } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
