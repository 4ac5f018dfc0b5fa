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

/**
 * What our own addresses on a custom domain begin with. Codes, pages and files below them must stay reachable, so no route
 * and no code of a domain begins with one. Those with a dot need no entry, because no slug has one.
 */
export const DOMAIN_RESERVED_WORDS: ReadonlySet<string> = new Set([
  ...['api', 'v1', 'oauth', 'app', 'health', 'healthz', 'readyz', 'internal', 'account', 'assets'],
  ...['p', 'kb', 'c', 'o', 'g'],
  // The keys of GS1 Digital Links.
  ...['00', '01', '253', '255', '414', '8003', '8004', '8010', '8017', '8018'],
])

/** Whether no code of a domain can begin with this part. Besides the words above, `/docs` is never shown on a domain. */
export const isReservedOnDomain = (part: string): boolean => part === 'docs' || DOMAIN_RESERVED_WORDS.has(part)
