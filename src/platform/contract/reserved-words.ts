/** Words that our own addresses begin with, or may begin with one day. No code and no organisation gets one as its slug. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    '01 about account admin api app assets auth billing blog c callback careers cdn changelog chat claim',
    'cli contact cookies dashboard developer developers docs download downloads embed enterprise favicon',
    'features feedback forms g graphql guide guides health healthz help home hooks icons images imprint',
    'inbox index internal invite join kb legal livez login logout mail manifest mcp me metrics new notice',
    'o oauth offline openapi org organisation organisations organization organizations p pages partners',
    'preview pricing privacy products readyz register robots saml scan scans scim sdk search security',
    'service settings share sign-in sign-out sign-up signin signup site sitemap sso start static status',
    'support team terms tour trust upload uploads user users v1 v2 v3 verify version webhook webhooks',
    'welcome well-known widget www',
  ]
    .join(' ')
    .split(' '),
)

/** What programs and operators call. It answers on every host, so on a custom domain, too. */
export const SERVICE_WORDS: ReadonlySet<string> = new Set(['v1', 'oauth', 'internal', 'healthz', 'readyz'])

/** What the addresses of content and files begin with, on every host. There is nothing at such a word itself. */
const CONTENT_WORDS: ReadonlySet<string> = new Set([
  ...['p', 'kb', 'c', 'o', 'g', 'assets'],
  // The keys of GS1 Digital Links.
  ...['00', '01', '253', '255', '414', '8003', '8004', '8010', '8017', '8018'],
])

/**
 * Whether a custom domain has something of its own at this path, which begins without a slash. No code can be there; every other
 * word may be printed already. Files of the root need no rule, because their names have a dot and no slug does.
 */
export function isServedOnDomain(path: string): boolean {
  const [first = '', second] = path.split('/', 2)
  return SERVICE_WORDS.has(first) || (second !== undefined && CONTENT_WORDS.has(first))
}

/** What no route of a domain is called. A route also has everything below it, and words that may be ours one day are kept. */
export const ROUTE_RESERVED_WORDS: ReadonlySet<string> = new Set([
  ...SERVICE_WORDS,
  ...CONTENT_WORDS,
  ...['account', 'api', 'app', 'health'],
])
