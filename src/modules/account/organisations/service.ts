import { z } from 'zod'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { field } from '../../../platform/contract/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import {
  insertOrganisation,
  lockOrganisationRow,
  type OrganisationRow,
  selectAnyOrganisation,
  selectDemoOrganisations,
  selectOrganisation,
  selectOrganisationBySlug,
  selectOrganisationIds,
  selectOrganisations,
  updateOrganisation,
} from './queries.ts'

const OrganisationCreate = z.strictObject({
  name: field.name(200),
  slug: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'Must be 1 to 63 lower-case letters, digits or -, not starting or ending with -',
  }),
})

const Limit = z.int({ error: 'Must be a whole number from 1' }).min(1, { error: 'Must be a whole number from 1' })
/** Null resets a limit to the default of the installation. */
const Limits = z.strictObject({
  rate_per_minute: Limit.nullable().optional(),
  rate_per_hour: Limit.nullable().optional(),
  storage_bytes_max: Limit.nullable().optional(),
})
type Limits = z.input<typeof Limits>

export interface Organisation {
  id: OrgId
  name: string
  slug: string
  rate_per_minute: number | null
  rate_per_hour: number | null
  storage_bytes_max: number | null
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

export async function findOrganisationIds(db: Db, slugs: readonly string[]): Promise<Map<string, OrgId>> {
  const rows = await selectOrganisationIds(db, slugs)
  return new Map(rows.map(({ id, slug }) => [slug, id as OrgId]))
}

export const listOrganisations = async (db: Db): Promise<Organisation[]> =>
  (await selectOrganisations(db)).map(toOrganisation)

export const listDemoOrganisations = async (db: Db): Promise<Organisation[]> =>
  (await selectDemoOrganisations(db)).map(toOrganisation)

/** Lets changes of the team wait for each other until the transaction ends. */
export const lockOrganisation = lockOrganisationRow

export const hasOrganisations = async (db: Db): Promise<boolean> => (await selectAnyOrganisation(db)) !== undefined

export async function createOrganisation(
  tx: Tx,
  input: { name: string; slug: string },
  now: Timestamp,
  { isDemo = false } = {},
): Promise<Organisation> {
  const { name, slug } = parsePayload(OrganisationCreate, input)
  const values = {
    id: newId(),
    name,
    slug,
    rate_per_minute: null,
    rate_per_hour: null,
    storage_bytes_max: null,
    is_demo: isDemo,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  return toOrganisation(await insertOrganisation(tx, values))
}

export async function setLimits(tx: Tx, orgId: OrgId, limits: Limits, now: Timestamp): Promise<Organisation> {
  parsePayload(Limits, limits)
  const row = await updateOrganisation(tx, orgId, { ...limits, updated_at: now })
  if (row === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  return toOrganisation(row)
}
