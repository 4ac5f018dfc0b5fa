import { removeOrganisation } from '../modules/account/organisations/index.ts'
import { dropAssetsOf, removeDueFiles } from '../modules/assets/assets/index.ts'
import { CHATBOTS_TOPIC } from '../modules/chat/chatbots/index.ts'
import { TARGETS_TOPIC } from '../modules/codes/scan-targets/index.ts'
import { DOMAINS_TOPIC } from '../modules/domains/custom-domains/index.ts'
import { createAnalyser, dropIndexedTexts, dropVocabulary } from '../modules/knowledge/article-search/index.ts'
import { dropMailsOf } from '../modules/mail/mails/index.ts'
import { PAGES_TOPIC } from '../modules/pages/pages/index.ts'
import { ENDPOINTS_TOPIC, SUBSCRIPTIONS_TOPIC } from '../modules/webhooks/webhooks/index.ts'
import { systemClock, timestamp } from '../platform/clock/index.ts'
import { ConstraintViolation } from '../platform/db/failures.ts'
import { announce, type Database, type Tx } from '../platform/db/index.ts'
import type { AssetStore } from '../platform/files/asset-store.ts'
import type { OrgId } from '../platform/ids/index.ts'
import {
  deleteBatch,
  deleteRowsOf,
  deleteWalked,
  deleteWithin,
  detachCategories,
  type ErasedTable,
  selectIds,
  selectWalkEnd,
} from './erase-queries.ts'

/** Small, so that a deletion does not block requests for long. */
const BATCH_ROWS = 500
/** Rows with children that are deleted together. */
const PARENT_ROWS = 100
/** How many rows of all organisations one step of a walk reads. */
const WALK_ROWS = 2000
/** A request that was running at the start can still add rows. It has ended long before the last attempt. */
const ATTEMPTS_MAX = 5

/**
 * Every table with rows of organisations, in the order in which they are emptied. Credentials come first, so that nobody
 * can add rows any more; then everything that processes keep in their caches; parents after their children.
 */
const TABLES: readonly ErasedTable[] = [
  { table: 'api_keys' },
  { table: 'sessions', walk: 'id' },
  { table: 'one_time_links', walk: 'id' },
  { table: 'invitations', walk: 'id' },
  { table: 'members' },
  // Their tokens are deleted with them.
  { table: 'oauth_grants' },
  { table: 'scan_targets', walk: 'id', announced: [TARGETS_TOPIC, 'id'] },
  { table: 'custom_domains', announced: [DOMAINS_TOPIC, 'domain'], children: { custom_domain_routes: 'domain_id' } },
  { table: 'event_subscriptions', announced: [SUBSCRIPTIONS_TOPIC, 'org_id'] },
  { table: 'webhook_endpoints', announced: [ENDPOINTS_TOPIC, 'org_id'] },
  { table: 'event_fan_outs' },
  { table: 'webhook_attempts' },
  { table: 'webhook_deliveries' },
  { table: 'delivery_leases' },
  { table: 'events' },
  { table: 'idempotent_answers' },
  { table: 'qr_codes', children: { key_values: 'owner_id' } },
  { table: 'qr_groups', children: { key_values: 'owner_id' } },
  { table: 'objects', children: { key_values: 'owner_id' } },
  {
    table: 'products',
    children: { key_values: 'owner_id', product_images: 'product_id', product_links: 'product_id' },
  },
  { table: 'passage_vectors' },
  { table: 'vector_progress' },
  {
    table: 'articles',
    children: {
      article_old_slugs: 'article_id',
      article_relations: 'article_id',
      article_tag_assignments: 'article_id',
      article_texts: 'article_id',
      article_versions: 'article_id',
    },
  },
  { table: 'article_tags' },
  { table: 'article_categories' },
  { table: 'knowledge_base_synonyms', key: 'knowledge_base_id' },
  { table: 'knowledge_bases' },
  { table: 'knowledge_base_addresses', walk: 'id' },
  // Comes after everything with a trigger that writes to it.
  { table: 'knowledge_base_revisions', walk: 'knowledge_base_id' },
  { table: 'pages', announced: [PAGES_TOPIC, 'public_slug'], children: { page_blocks: 'page_id' } },
  { table: 'submissions', children: { submission_events: 'submission_id' } },
  { table: 'submission_keys', walk: 'id' },
  { table: 'erased_submissions', walk: 'id' },
  { table: 'page_counters', walk: 'page_id' },
  { table: 'page_addresses', walk: 'id' },
  { table: 'page_views', key: 'id' },
  { table: 'question_keys', key: 'group_id' },
  { table: 'question_groups' },
  { table: 'answer_votes', key: 'message_id' },
  { table: 'article_votes', key: 'id' },
  { table: 'chatbots', announced: [CHATBOTS_TOPIC, 'public_slug'] },
  { table: 'chatbot_counters', walk: 'chatbot_id' },
  { table: 'chatbot_addresses', walk: 'id' },
  {
    table: 'conversations',
    children: {
      messages: 'conversation_id',
      conversation_changes: 'conversation_id',
      conversation_files: 'conversation_id',
      conversation_notes: 'conversation_id',
      conversation_tag_assignments: 'conversation_id',
      conversation_tokens: 'conversation_id',
    },
  },
  { table: 'conversation_tags' },
  // Comes after everything that refers to files.
  { table: 'asset_references' },
  { table: 'assets' },
  { table: 'scans', key: 'id' },
  { table: 'scan_totals', key: 'target_id' },
  { table: 'credit_entries' },
  { table: 'credit_balances' },
  { table: 'tombstones' },
  { table: 'known_addresses' },
  { table: 'audit_log' },
]

/** Emptied by the search itself, because they belong to an index. */
const SEARCH_TABLES = [
  'article_passages',
  'article_search_texts',
  'article_search_word_lists',
  'article_search_words',
] as const

/**
 * These have no reference to the organisation, so rows can be added until the last moment. They are emptied
 * once more in the transaction that deletes the organisation. Triggers count in `row_totals` until then.
 */
const UNREFERENCED = [
  'event_fan_outs',
  'webhook_attempts',
  'webhook_deliveries',
  'delivery_leases',
  'scans',
  'scan_totals',
  'page_views',
  'audit_log',
  'row_totals',
] as const

/** A test compares them with the schema, so that no table is forgotten. */
export const ERASED_TABLES: ReadonlySet<string> = new Set([
  ...TABLES.flatMap(({ table, children = {} }) => [table, ...Object.keys(children)]),
  ...SEARCH_TABLES,
  ...UNREFERENCED,
  'organisation_slugs',
])

/**
 * Deletes an organisation with everything that belongs to it, in small transactions. The organisation itself is last, so
 * after a crash, calling it again completes the deletion. The accounts of its people stay.
 */
export async function eraseOrganisation(database: Database, orgId: OrgId, store: AssetStore): Promise<void> {
  const analyser = createAnalyser()
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.write(work, orgId)
  try {
    for (let attempt = 1; ; attempt++) {
      for (const table of TABLES) await emptyTable(database, orgId, table)
      await repeat(() => write((tx) => dropIndexedTexts(tx, orgId, BATCH_ROWS)))
      await repeat(() => dropVocabulary(database, write, analyser, orgId))
      if (await removeLastRows(database, orgId, attempt)) break
    }
  } finally {
    await analyser.close()
  }
  // Their names were queued with the deletion of their rows. After a failure, the worker goes on.
  await repeat(() => removeDueFiles(database, store, systemClock()))
}

/** Returns false if rows were added in the meantime. */
async function removeLastRows(database: Database, orgId: OrgId, attempt: number): Promise<boolean> {
  try {
    await database.write(async (tx) => {
      await removeOrganisation(tx, orgId)
      for (const table of UNREFERENCED) await deleteRowsOf(tx, orgId, table)
      await dropMailsOf(tx, orgId)
    }, orgId)
    return true
  } catch (error) {
    const isReferenced = error instanceof ConstraintViolation && error.kind === 'foreign_key'
    if (isReferenced && attempt < ATTEMPTS_MAX) return false
    throw error
  }
}

async function emptyTable(database: Database, orgId: OrgId, erased: ErasedTable): Promise<void> {
  const { table, children, walk } = erased
  if (walk !== undefined) return walkTable(database, orgId, erased, walk)
  if (children !== undefined) return emptyParents(database, orgId, erased, children)
  const write = (work: (tx: Tx) => Promise<boolean>): Promise<boolean> => database.write(work, orgId)
  if (table === 'assets') {
    return repeat(() => write((tx) => dropAssetsOf(tx, orgId, BATCH_ROWS, timestamp(systemClock()))))
  }
  // A category cannot be deleted before those within it.
  if (table === 'article_categories') await repeat(() => write((tx) => detachCategories(tx, orgId, BATCH_ROWS)))
  await repeat(() => write((tx) => announceDeleted(tx, erased, deleteBatch(tx, orgId, erased, BATCH_ROWS))))
}

/** Deletes rows with their children. A parent may have many more children than one transaction should delete. */
function emptyParents(
  database: Database,
  orgId: OrgId,
  parent: ErasedTable,
  children: Record<string, string>,
): Promise<void> {
  const remove = (erased: ErasedTable, column: string, ids: readonly string[]) =>
    repeat(() =>
      database.write(
        (tx) => announceDeleted(tx, erased, deleteWithin(tx, orgId, erased, column, ids, BATCH_ROWS)),
        orgId,
      ),
    )
  return repeat(async () => {
    const ids = await selectIds(database.read, orgId, parent.table, PARENT_ROWS)
    if (ids.length === 0) return false
    for (const [table, column] of Object.entries(children)) await remove({ table }, column, ids)
    await remove(parent, 'id', ids)
    return true
  })
}

/** Reads a whole table in steps, because no index tells which rows belong to the organisation. */
async function walkTable(database: Database, orgId: OrgId, erased: ErasedTable, key: string): Promise<void> {
  let after: string | undefined
  await repeat(async () => {
    const range = { after, end: await selectWalkEnd(database.readLong, erased.table, key, after, WALK_ROWS) }
    await database.write((tx) => announceDeleted(tx, erased, deleteWalked(tx, orgId, erased, key, range)), orgId)
    after = range.end
    return after !== undefined
  })
}

/** Makes processes drop what they keep about the deleted rows. Returns false if there were none. */
async function announceDeleted(tx: Tx, { announced }: ErasedTable, deletion: Promise<string[]>): Promise<boolean> {
  const keys = await deletion
  if (announced !== undefined && keys.length > 0) await announce(tx, announced[0], [...new Set(keys)])
  return keys.length > 0
}

/** Repeats a step until it has nothing more to do. */
async function repeat(step: () => Promise<boolean>): Promise<void> {
  while (await step());
}
