/**
 * The areas that scopes grant access to, and what is in them: `<area>.view` allows GET, `<area>.manage` everything. Each
 * family names its area in its contract.
 */
const CONTENTS = {
  qr: 'QR codes and QR groups',
  objects: 'objects',
  products: 'products and their links',
  articles: 'articles with their categories, tags, translations and versions',
  knowledge_bases: 'knowledge bases',
  pages: 'pages and page templates',
  submissions: 'submissions',
  chatbots: 'chatbots and unanswered questions',
  conversations: 'conversations and their tags',
  domains: 'custom domains and their routes',
  webhooks: 'webhook endpoints, deliveries and events',
  team: 'members, invitations, roles and the audit log',
  analytics: 'scans',
}
export type Area = keyof typeof CONTENTS

export const AREAS = Object.keys(CONTENTS) as Area[]

/** A key with this scope may do everything, except for what must be named. */
export const EVERYTHING = 'all'

/**
 * What must be named, because it reaches beyond the organisation or beyond the rules of single operations. No application
 * can have it, and no key without it in its scopes.
 */
const NAMED = {
  'codes.slugs': 'Choose the slugs of codes on the host of the service, which all organisations share.',
}
export type NamedScope = keyof typeof NAMED

export const NAMED_SCOPES = Object.keys(NAMED) as NamedScope[]

export const SCOPES = AREAS.flatMap((area) => [`${area}.view`, `${area}.manage`] as const)

/** What keys can be limited to. */
export const KEY_SCOPES = [EVERYTHING, ...SCOPES, ...NAMED_SCOPES] as const

export const SCOPE_MEANINGS = Object.fromEntries([
  [EVERYTHING, `Everything except for ${NAMED_SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`],
  ...AREAS.flatMap((area) => [
    [`${area}.view`, `Read ${CONTENTS[area]}.`],
    [`${area}.manage`, `Read and change ${CONTENTS[area]}.`],
  ]),
  ...Object.entries(NAMED),
])
