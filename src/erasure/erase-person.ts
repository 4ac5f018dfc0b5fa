import { listMemberships } from '../modules/account/members/index.ts'
import { ConstraintViolation } from '../platform/db/failures.ts'
import type { Database } from '../platform/db/index.ts'
import type { OrgId } from '../platform/ids/index.ts'
import { deleteAccountRows } from './erase-queries.ts'

/**
 * Deletes the account of a person who belongs to this organisation only. Returns false, and changes nothing, if they
 * belong to another one, too, or if rows of another one still refer to them.
 */
export async function erasePerson(database: Database, orgId: OrgId, userId: string): Promise<boolean> {
  try {
    return await database.write(async (tx) => {
      const memberships = await listMemberships(tx, userId)
      if (memberships.some(({ org_id }) => org_id !== orgId)) return false
      await deleteAccountRows(tx, orgId, userId)
      return true
    }, orgId)
  } catch (error) {
    if (error instanceof ConstraintViolation && error.kind === 'foreign_key') return false
    throw error
  }
}
