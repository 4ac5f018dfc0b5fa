import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { createKey } from '../api-keys/index.ts'
import { createLink } from '../one-time-links/index.ts'
import { createOrganisation } from '../organisations/index.ts'
import { countUnused, selectUnchanged, selectWithoutOwner } from './queries.ts'

const FIRST = { name: 'My organisation', slug: 'default' }

/** Creates the organisation that an installation begins with; with a key and a link for its owner, if they can be shown. */
export async function createFirstOrganisation(
  tx: Tx,
  now: Timestamp,
  { credits, canShowSecrets }: { credits: number; canShowSecrets: boolean },
): Promise<{ apiKey: string; setUpToken: string } | undefined> {
  const { id } = await createOrganisation(tx, FIRST, now, { credits })
  if (!canShowSecrets) return undefined
  const { api_key } = await createKey(tx, id, { name: 'First key' }, now)
  return { apiKey: api_key, setUpToken: await createLink(tx, 'set_up', { orgId: id }, now) }
}

/** The command that makes an owner. Undefined if an organisation has one who can sign in, or if there is no organisation. */
export async function findOwnerCommand(db: Db): Promise<string | undefined> {
  const slug = await selectWithoutOwner(db)
  return slug && `npx waymark user create --org ${slug} --email you@example.com --role owner`
}

/**
 * Counts by table the rows that the first start has created and nobody has used or changed since. A database with no other
 * rows has nothing that anybody could miss. All rows have the same time; what was created later is not among them.
 */
export async function countFirstRows(db: Db): Promise<Record<string, number>> {
  const first = await selectUnchanged(db, FIRST)
  // The first credits come a millisecond after the balance of 0 that every organisation begins with.
  return first === undefined ? {} : countUnused(db, first, timestamp(toMs(first.created_at) + 1))
}
