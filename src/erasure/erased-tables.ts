import { CHATBOTS_TOPIC } from '../modules/chat/chatbots/index.ts'
import { TARGETS_TOPIC } from '../modules/codes/scan-targets/index.ts'
import { DOMAINS_TOPIC } from '../modules/domains/custom-domains/index.ts'
import { PAGES_TOPIC } from '../modules/pages/pages/index.ts'
import { ENDPOINTS_TOPIC, SUBSCRIPTIONS_TOPIC } from '../modules/webhooks/webhooks/index.ts'
import { columnsOf, TABLE_NAMES } from '../platform/db/index.ts'
import { INDEXED_FIRST, REFERENCES } from '../platform/db/relations.generated.ts'
import type { ErasedTable } from './erase-queries.ts'

/** Emptied by the search itself, because they belong to an index. */
export const SEARCH_TABLES = [
  'article_passages',
  'article_search_texts',
  'article_search_word_lists',
  'article_search_words',
]

/** Emptied in the transaction that deletes the organisation: triggers count until then, and its slugs stay taken. */
export const LAST_TRANSACTION = ['row_totals', 'organisation_slugs']

/** Credentials come first, so that nobody can add rows any more; then everything that processes keep in their caches. */
const FIRST = [
  ...['api_keys', 'sessions', 'one_time_links', 'invitations', 'members', 'oauth_grants'],
  ...['scan_targets', 'custom_domain_routes', 'custom_domains', 'event_subscriptions', 'webhook_endpoints'],
]

/** Triggers on other tables write to them, or their rows stay as long as others need them. */
const LAST = ['knowledge_base_revisions', 'asset_references', 'assets', 'scans', 'scan_totals']

/** Tables whose rows belong to rows of another one without a foreign key, with the column that names it. */
const OWNERS: Readonly<Record<string, readonly [column: string, ...owners: string[]]>> = {
  conversation_changes: ['conversation_id', 'conversations'],
  conversation_files: ['conversation_id', 'conversations'],
  conversation_notes: ['conversation_id', 'conversations'],
  conversation_tag_assignments: ['conversation_id', 'conversations'],
  conversation_tokens: ['conversation_id', 'conversations'],
  key_values: ['owner_id', 'qr_codes', 'qr_groups', 'objects', 'products'],
  messages: ['conversation_id', 'conversations'],
  page_blocks: ['page_id', 'pages'],
  submission_events: ['submission_id', 'submissions'],
  submission_receipts: ['submission_id', 'submissions'],
  submission_replies: ['submission_id', 'submissions'],
  target_rules: ['owner_id', 'qr_codes', 'qr_groups', 'objects', 'products'],
  target_versions: ['owner_id', 'qr_codes', 'qr_groups', 'objects', 'products'],
}

/** What identifies a row of an organisation where SQLite has no `rowid`. */
const KEYS: Readonly<Record<string, string>> = { question_keys: 'group_id', scan_totals: 'target_id', scans: 'id' }

/** The topics that make processes drop what they keep about deleted rows. */
const ANNOUNCED: Readonly<Record<string, ErasedTable['announced']>> = {
  chatbots: [CHATBOTS_TOPIC, 'public_slug'],
  custom_domains: [DOMAINS_TOPIC, 'domain'],
  event_subscriptions: [SUBSCRIPTIONS_TOPIC, 'org_id'],
  pages: [PAGES_TOPIC, 'public_slug'],
  scan_targets: [TARGETS_TOPIC, 'id'],
  webhook_endpoints: [ENDPOINTS_TOPIC, 'org_id'],
}

const TENANT_TABLES: readonly string[] = TABLE_NAMES.filter((table) =>
  (columnsOf(table) as readonly string[]).includes('org_id'),
)
const isIndexed = (table: string, column: string): boolean => INDEXED_FIRST[table]?.includes(column) === true

/** The tables whose rows belong to rows of each table. Found once: to order the tables, each is compared with each. */
const CHILDREN = new Map<string, [child: string, column: string][]>(TENANT_TABLES.map((table) => [table, []]))
for (const child of TENANT_TABLES) {
  const [column, ...owners] = ownerOf(child) ?? []
  if (column !== undefined) for (const owner of owners) CHILDREN.get(owner)?.push([child, column])
}
const childrenOf = (table: string) => CHILDREN.get(table) ?? []

/**
 * These tables do not reference the organisation, so rows can be added until the last moment. They are emptied once more in
 * the transaction that deletes the organisation.
 */
export const UNREFERENCED = TENANT_TABLES.filter((table) => REFERENCES[table]?.org_id === undefined)

/** Every table with rows of organisations, in the order in which they are emptied. It follows from the schema. */
export const ERASED_TABLES: readonly ErasedTable[] = inOrder(
  TENANT_TABLES.filter(
    (table) => ![...SEARCH_TABLES, ...LAST_TRANSACTION].includes(table) && ownerOf(table) === undefined,
  ),
).map(toErased)

/** Rows are found by an index that begins with `org_id`. If there is none, with their parents, or by reading the table. */
function toErased(table: string): ErasedTable {
  const [key, announced, children] = [KEYS[table], ANNOUNCED[table], childrenOf(table)]
  return {
    table,
    ...(key !== undefined && { key }),
    ...(announced !== undefined && { announced }),
    ...(children.length > 0 && { children: Object.fromEntries(children) }),
    // Assets are deleted together with their files.
    ...(!isIndexed(table, 'org_id') && table !== 'assets' && { walk: INDEXED_FIRST[table]?.[0] as string }),
  }
}

function ownerOf(table: string): readonly [column: string, ...owners: string[]] | undefined {
  if (OWNERS[table] !== undefined || isIndexed(table, 'org_id')) return OWNERS[table]
  return Object.entries(REFERENCES[table] ?? {}).find(
    ([column, owner]) => isIndexed(table, column) && TENANT_TABLES.includes(owner),
  )
}

/** Puts tables before those that they or their children refer to. */
function inOrder(tables: readonly string[]): string[] {
  const ordered = new Set<string>()
  const refersTo = (table: string, other: string) =>
    [table, ...childrenOf(table).map(([child]) => child)].some((one) =>
      Object.values(REFERENCES[one] ?? {}).includes(other),
    )
  const add = (table: string): void => {
    if (ordered.has(table)) return
    for (const other of tables) if (other !== table && refersTo(other, table)) add(other)
    ordered.add(table)
  }
  const others = tables.filter((table) => ![...FIRST, ...LAST].includes(table))
  for (const table of [...FIRST, ...others, ...LAST]) add(table)
  return [...ordered]
}
