/**
 * The areas that scopes grant access to: `<area>.view` allows GET, `<area>.manage` everything. Each family names its
 * area in its contract.
 */
export const AREAS = [
  'qr',
  'objects',
  'products',
  'articles',
  'knowledge_bases',
  'pages',
  'submissions',
  'chatbots',
  'conversations',
  'domains',
  'webhooks',
  'team',
  'analytics',
] as const

export const SCOPES = AREAS.flatMap((area) => [`${area}.view`, `${area}.manage`] as const)
