import type { Operation } from '../platform/contract/operation.ts'

interface FamilyGroup {
  name: string
  /** The names of families. */
  families: readonly string[]
}

/** How the reference groups the families, in the order in which a newcomer needs them. */
const GROUPS: readonly FamilyGroup[] = [
  { name: 'Codes', families: ['qr-codes', 'qr-groups', 'objects', 'products', 'product-links', 'scans'] },
  { name: 'Pages and forms', families: ['pages', 'page-templates', 'submissions', 'assets'] },
  {
    name: 'Help centre',
    families: [
      'knowledge-bases',
      'articles',
      'article-categories',
      'article-tags',
      'article-translations',
      'article-versions',
      'article-relations',
    ],
  },
  {
    name: 'Chat',
    families: ['chatbots', 'conversations', 'conversation-tags', 'unanswered'],
  },
  { name: 'Domains', families: ['custom-domains', 'custom-domain-routes'] },
  { name: 'Webhooks and events', families: ['webhooks', 'webhook-deliveries', 'event-types', 'events'] },
  {
    name: 'Organisation and team',
    families: ['organisation', 'organisation-deletion', 'members', 'invitations', 'roles', 'credits', 'audit-log'],
  },
  { name: 'Credentials', families: ['me', 'api-keys', 'connected-applications'] },
]

interface GroupedFamilies {
  name: string
  families: Operation['family'][]
}

/** Returns the families of the operations in groups. Throws if a family is in no group, so that none gets lost. */
export function groupFamilies(operations: readonly Operation[]): GroupedFamilies[] {
  const families = new Map(operations.map(({ family }) => [family.name, family]))
  const groups = GROUPS.map(({ name, families: names }) => ({
    name,
    families: names.flatMap((one) => take(families, one)),
  }))
  const [left] = families.keys()
  if (left !== undefined) throw new Error(`the family ${left} is in no group of src/api/family-groups.ts`)
  return groups
}

function take<T>(from: Map<string, T>, key: string): T[] {
  const found = from.get(key)
  from.delete(key)
  return found === undefined ? [] : [found]
}
