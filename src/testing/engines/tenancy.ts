import type { StatementObserver } from '../../platform/db/types.ts'

/** Statements that touch a tenant's table for everybody, each with the reason why it may. */
const ALLOWED: { statement: RegExp; reason: string }[] = [
  { statement: /"api_keys"\.?.* where "hash" = /, reason: 'the key is what tells the organisation' },
  { statement: /from "api_keys" where "id" = /, reason: 'the operator asks, on the command line' },
  { statement: /from "scan_targets" where "id" in/, reason: 'the address that was scanned tells the organisation' },
  { statement: /from "custom_domains" where "domain" in/, reason: 'the host that was asked tells the organisation' },
  {
    statement: /(update "articles" set\s+|from "articles" where )"indexing_due_at"/,
    reason: 'the search index is kept for all organisations',
  },
  {
    statement: /from "knowledge_bases" where "public_slug" = |from "knowledge_base_addresses" where "id" = /,
    reason: 'the address of a help centre tells the organisation',
  },
  { statement: /"delivery_leases"/, reason: 'workers share the organisations between them' },
  { statement: /^\s*delete from "\w+" where (rowid|ctid) in/, reason: 'retention, over all organisations' },
]

const INSERT = /^insert into "(\w+)" \(([^)]*)\)/
const TABLE = /(?:from|join|update|into) "(\w+)"/g
const SCOPED = /"org_id" = /

/** Reads every statement and remembers those that touch a tenant's table without naming the tenant. */
export class TenancyGuard {
  readonly #tables: Set<string>
  readonly violations: string[] = []

  constructor(tables: Iterable<string>) {
    this.#tables = new Set(tables)
  }

  readonly observe: StatementObserver = (sql) => {
    const inserted = INSERT.exec(sql)
    if (inserted !== null) {
      if (this.#tables.has(inserted[1]!) && !inserted[2]!.includes('"org_id"')) this.violations.push(sql)
      return
    }
    const touched = [...sql.matchAll(TABLE)].some(([, table]) => this.#tables.has(table!))
    if (!touched || SCOPED.test(sql) || ALLOWED.some(({ statement }) => statement.test(sql))) return
    this.violations.push(sql)
  }
}
