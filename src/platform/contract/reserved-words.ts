/** Words that our own addresses begin with, or may begin with one day. No code and no organisation gets one as its slug. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    '01 about account admin api app assets billing blog c careers changelog chat contact cookies dashboard',
    'developer developers docs download downloads enterprise favicon features feedback forms g guide guides',
    'health healthz help home icons images imprint index internal invite join kb legal login logout manifest',
    'metrics new notice o oauth offline p pages partners pricing privacy products readyz register robots scan',
    'scans search security service settings share sign-in sign-out sign-up signin signup site sitemap start',
    'static status support team terms tour trust upload uploads v1 webhooks welcome well-known widget www',
  ]
    .join(' ')
    .split(' '),
)
