import type { StatementObserver } from '../../platform/db/types.ts'
import { readStatement } from './statement.ts'

/** Statements that use a tenant's table without `org_id` on purpose. The patterns match `StatementFacts.text`. */
const ALLOWED: { statement: RegExp; reason: string }[] = [
  { statement: /from api_keys .*where hash =/, reason: 'the API key determines the organisation' },
  { statement: /from api_keys where id =/, reason: 'operators look up a key on the command line' },
  { statement: /from sessions .*where sessions.hash =/, reason: 'the session determines the organisation' },
  {
    statement: /(?:from|update) sessions .*where (?:user_id|id) =/,
    reason: 'a person has sessions in all their organisations',
  },
  {
    statement: /from oauth_tokens .*where oauth_tokens.hash =/,
    reason: 'the access token determines the organisation',
  },
  {
    statement: /(?:from|update) oauth_grants .*where (?:id|expires_at) /,
    reason: 'the grant determines the organisation',
  },
  {
    statement: /from one_time_links where (?:hash|user_id|email_folded) =/,
    reason: 'the link determines the organisation',
  },
  { statement: /from members .*where members.user_id =/, reason: 'a person belongs to several organisations' },
  {
    statement: /from submission_receipts .*where r.id =/,
    reason: 'the token of a receipt determines the organisation',
  },
  {
    statement: /from invitations where token_hash =/,
    reason: 'the token of an invitation determines the organisation',
  },
  {
    statement: /from organisation_slugs where slug (?:=|in)/,
    reason: 'a slug in a public address determines the organisation',
  },
  { statement: /from scan_targets where id in/, reason: 'the scanned address determines the organisation' },
  { statement: /from custom_domains where domain in/, reason: 'the requested host determines the organisation' },
  {
    statement: /from custom_domains where check_due_at <=/,
    reason: 'the worker looks for organisations with domains to check',
  },
  {
    statement: /from target_versions where state is null/,
    reason: 'every process looks for versions whose time has come',
  },
  {
    statement: /update custom_domains set .*where domain = \S+ and org_id <>/,
    reason: 'who proves a domain takes it over from another organisation',
  },
  {
    statement: /from knowledge_bases .*where k.public_slug =|from knowledge_base_addresses where id =/,
    reason: 'the address of a help centre determines the organisation',
  },
  {
    statement: /from pages .*where p.public_slug =|from page_addresses where id =/,
    reason: 'the address of a page determines the organisation',
  },
  {
    statement: /from chatbots .*where b.public_slug =|from chatbot_addresses where id =/,
    reason: 'the address of a chatbot determines the organisation',
  },
  {
    statement: /(?:update articles set|from articles where) indexing_due_at/,
    reason: 'the indexer looks for organisations with due articles',
  },
  {
    statement: /select org_id from article_search_word\w+ where not is_\w+ and org_id >/,
    reason: 'the indexer looks for organisations whose vocabulary is outdated',
  },
  {
    statement: /(?:update vector_progress set|from vector_progress where) due_at/,
    reason: 'the worker looks for organisations whose passages need vectors',
  },
  {
    statement: /(?:update jobs set|from jobs where) due_at/,
    reason: 'the worker looks for organisations with due jobs',
  },
  { statement: /from assets where unreferenced_since <=/, reason: 'the worker looks for files that nothing uses' },
  { statement: /from assets where measured_at is null/, reason: 'the worker looks for images without a size' },
  {
    statement: /select distinct org_id from webhook_endpoints where/,
    reason: 'the worker looks for organisations with due deliveries',
  },
  {
    statement: /from webhook_endpoints e ?\) ?endpoints group by|from event_fan_outs limit/,
    reason: 'metrics count what waits in the whole installation',
  },
  { statement: /with recursive waiting/, reason: 'the worker looks for organisations with large batches of events' },
  { statement: /(?:from|update) delivery_leases/, reason: 'workers divide the organisations among themselves' },
  {
    statement: /^select \w+ as end from \w+ (?:where \w+ > \S+ )?order by/,
    reason: 'deleting an organisation reads tables without an index for it, in steps',
  },
  {
    statement:
      /from (?:idempotent_answers|webhook_endpoints) (?:where .*)?order by (?:org_id|id) ?(?:,|limit)|update webhook_endpoints set (?:old_)?secret = \S+ where id = \S+ and (?:old_)?secret =/,
    reason: 'a rotation of the secrets seals everything anew',
  },
  {
    statement: /^select .* from unfinished_writes (?:where id > .*)?order by id/,
    reason: 'the service completes what all organisations have left to write before it starts',
  },
  { statement: /^delete from \w+ where (?:rowid|ctid) in/, reason: 'retention applies to all organisations' },
]

/** Reads every statement and records those that use a tenant's table without naming the tenant. */
export class TenancyGuard {
  readonly violations: string[] = []
  readonly #tables: ReadonlySet<string>
  readonly #checked = new Set<string>()

  constructor(tables: Iterable<string>) {
    this.#tables = new Set(tables)
  }

  readonly observe: StatementObserver = (sql) => {
    if (this.#checked.has(sql)) return
    this.#checked.add(sql)
    if (this.#isViolation(sql)) this.violations.push(sql)
  }

  #isViolation(sql: string): boolean {
    const { tables, insert, isScoped, text } = readStatement(sql)
    if (insert !== undefined && this.#tables.has(insert.table) && !insert.columns.includes('org_id')) return true
    const isTenants = !this.#tables.isDisjointFrom(tables)
    return isTenants && !isScoped && !ALLOWED.some(({ statement }) => statement.test(text))
  }
}
