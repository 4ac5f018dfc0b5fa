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

export const SCOPES = AREAS.flatMap((area) => [`${area}.view`, `${area}.manage`] as const)

export const SCOPE_MEANINGS = Object.fromEntries(
  AREAS.flatMap((area) => [
    [`${area}.view`, `Read ${CONTENTS[area]}.`],
    [`${area}.manage`, `Read and change ${CONTENTS[area]}.`],
  ]),
)
