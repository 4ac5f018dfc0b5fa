import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { ApiError, invalidPayload } from '../../platform/errors.ts'
import { newId, type OrgId } from '../../platform/ids.ts'
import {
  insertOrganisation,
  type OrganisationRow,
  selectAnyOrganisation,
  selectOrganisation,
  selectOrganisationBySlug,
  selectOrganisations,
  updateOrganisation,
} from './queries.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export interface Organisation {
  id: OrgId
  name: string
  slug: string
  rate_per_minute: number | null
  rate_per_hour: number | null
}

/** Null gives a cap back to the installation's default. */
export interface RateCaps {
  rate_per_minute?: number | null
  rate_per_hour?: number | null
}

const toOrganisation = (row: OrganisationRow): Organisation => ({ ...row, id: row.id as OrgId })

export async function getOrganisation(db: Db, orgId: OrgId): Promise<Organisation> {
  const row = await selectOrganisation(db, orgId)
  if (row === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  return toOrganisation(row)
}

export async function getOrganisationBySlug(db: Db, slug: string): Promise<Organisation> {
  const row = await selectOrganisationBySlug(db, slug)
  if (row === undefined) throw new ApiError('not_found', `There is no organisation with the slug "${slug}".`)
  return toOrganisation(row)
}

export const listOrganisations = async (db: Db): Promise<Organisation[]> =>
  (await selectOrganisations(db)).map(toOrganisation)

export const hasOrganisations = async (db: Db): Promise<boolean> => (await selectAnyOrganisation(db)) !== undefined

export async function createOrganisation(
  tx: Tx,
  input: { name: string; slug: string },
  now: Timestamp,
): Promise<Organisation> {
  const name = input.name.trim()
  if (name === '' || [...name].length > 200) throw invalidPayload({ name: ['Must be 1 to 200 characters, not blank'] })
  if (!SLUG.test(input.slug)) {
    throw invalidPayload({ slug: ['Must be 1 to 63 of a-z, 0-9 and -, not starting or ending with -'] })
  }
  const values = {
    id: newId(),
    name,
    slug: input.slug,
    rate_per_minute: null,
    rate_per_hour: null,
    created_at: now,
    updated_at: now,
  }
  return toOrganisation(await insertOrganisation(tx, values))
}

export async function setRateCaps(tx: Tx, orgId: OrgId, caps: RateCaps, now: Timestamp): Promise<Organisation> {
  for (const [name, cap] of Object.entries(caps)) {
    if (cap !== null && !(Number.isSafeInteger(cap) && cap >= 1)) {
      throw invalidPayload({ [name]: ['Must be a whole number from 1'] })
    }
  }
  const row = await updateOrganisation(tx, orgId, { ...caps, updated_at: now })
  if (row === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  return toOrganisation(row)
}
