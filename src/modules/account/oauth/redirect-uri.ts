const LENGTH_MAX = 1000
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** No character that it allows has a meaning in a Content-Security-Policy. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/
/** The name of a program on the person's device, such as `cursor` or `vscode`. */
const PROGRAM = /^[a-z][a-z0-9+-]{2,}:$/
/** Families of schemes with which systems and browsers do something of their own. */
const OF_SYSTEM = /^(?:ms|x|web|view|chrome|moz|app|apple|android|itms|search|slack)[+-]/
/** Schemes that already mean something: what opens their addresses is not the application that asks for a code. */
const OF_OTHERS = new Set(
  [
    ...['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'blob', 'file', 'filesystem', 'about', 'resource'],
    ...['jar', 'jnlp', 'res', 'mhtml', 'mk', 'shell', 'hcp', 'help', 'prefs', 'intent', 'content', 'package', 'market'],
    ...['ws', 'wss', 'ftp', 'sftp', 'ssh', 'telnet', 'git', 'svn', 'smb', 'afp', 'nfs', 'ldap', 'ldaps', 'vnc', 'rdp'],
    ...[
      'mailto',
      'imap',
      'pop',
      'news',
      'nntp',
      'tel',
      'callto',
      'facetime',
      'sms',
      'mms',
      'sip',
      'sips',
      'xmpp',
      'irc',
    ],
    ...['urn', 'cid', 'mid', 'magnet', 'geo', 'maps', 'webcal', 'feed', 'rtsp', 'rtmp', 'gopher', 'dict', 'finger'],
    ...['bitcoin', 'ethereum', 'lightning', 'wallet', 'otpauth', 'openid', 'did', 'acct', 'steam', 'apple', 'edge'],
  ].map((name) => `${name}:`),
)

/**
 * Says what is wrong with a redirect URI; undefined if an application may use it. HTTPS, HTTP on the person's own device,
 * or a scheme of a program on it. Such a scheme should begin with a domain (RFC 8252). Many programs use their name, which is
 * accepted if it means nothing else.
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  if (uri.length > LENGTH_MAX) return `A redirect URI must have at most ${LENGTH_MAX} characters.`
  const parsed = /[\s\p{C}]/u.test(uri) ? null : URL.parse(uri)
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
      return findSchemeProblem(parsed)
  }
}

function findSchemeProblem({ protocol, host }: URL): string | undefined {
  if (OF_OTHERS.has(protocol) || OF_SYSTEM.test(protocol)) {
    return `The scheme ${protocol} belongs to something else. Use https, or a scheme of your application such as com.example.app.`
  }
  if (protocol.includes('.')) return undefined
  if (PROGRAM.test(protocol) && host !== '') return undefined
  return 'Use https, a scheme such as com.example.app, or the name of a program with a host, such as example://callback.'
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
