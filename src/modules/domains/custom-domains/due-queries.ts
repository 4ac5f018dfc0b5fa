import { sql } from 'kysely'
import { type Db, forUpdate, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Returns the first organisation after this one that has a domain to check, and is not among `except`. */
export async function selectDueOrganisation(
  db: Db,
  after: string,
  except: readonly OrgId[],
  now: string,
): Promise<OrgId | undefined> {
  const others = except.length === 0 ? sql`` : sql`and "org_id" not in (${sql.join(except)})`
  // Materialised, so that the due ones are read by their index. Otherwise, all domains are read in the order of `org_id`.
  const { rows } = await sql<{ org_id: OrgId }>`
    with "due" as materialized (select "org_id" from "custom_domains" where "check_due_at" <= ${now})
    select "org_id" from "due" where "org_id" > ${after} ${others} order by "org_id" limit 1`.execute(db)
  return rows[0]?.org_id
}

/** Leases the domain that has been due for the longest time. Returns nothing if other workers are claiming all that is due. */
export async function claimDueRow(
  tx: Tx,
  orgId: OrgId,
  now: string,
  lease: string,
): Promise<{ id: string; domain: string; token: string } | undefined> {
  const { rows } = await sql<{ id: string; domain: string; token: string }>`
    update "custom_domains" set "check_due_at" = ${lease}
    where "org_id" = ${orgId} and "id" = (
      select "id" from "custom_domains" where "org_id" = ${orgId} and "check_due_at" <= ${now}
      order by "check_due_at", "id" limit 1 ${forUpdate(tx, 'skip locked')})
    returning "id", "domain", "token"`.execute(tx)
  return rows[0]
}
