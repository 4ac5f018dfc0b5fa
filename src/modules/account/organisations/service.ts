import { z } from 'zod'
import { noteUpdated } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, parsePayload } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { NO_BRAND, toBrand } from '../../../platform/look/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { grantCredits } from '../credits/index.ts'
import { OrganisationProfile, OrganisationSlug, OrganisationUpdate, type RedirectStatus } from './contract.ts'
import {
  claimSlug,
  countSlugs,
  deleteOrganisationRow,
  insertOrganisation,
  lockOrganisationRow,
  type OrganisationRow,
  type ProfileRow,
  retireSlugs,
  selectAnyOrganisation,
  selectDemoOrganisations,
  selectDueForDeletion,
  selectOrganisation,
  selectOrganisationBySlug,
  selectOrganisationIds,
  selectOrganisations,
  selectProfile,
  selectRedirectStatus,
  updateOrganisation,
  updateProfileRow,
} from './queries.ts'

const OrganisationCreate = z.strictObject({ name: OrganisationProfile.shape.name, slug: OrganisationSlug })

const OrganisationRename = OrganisationUpdate.pick({ name: true, slug: true })

const Limit = z.int({ error: 'Must be a whole number from 1' }).min(1, { error: 'Must be a whole number from 1' })
/** Null resets a limit to the default of the installation. */
const Limits = z.strictObject({
  rate_per_minute: Limit.nullable().optional(),
  rate_per_hour: Limit.nullable().optional(),
  storage_bytes_max: Limit.nullable().optional(),
})
type Limits = z.input<typeof Limits>

export type Organisation = OrganisationRow

/** Announced when an organisation gets another slug. The key is the slug. */
export const SLUGS_TOPIC = 'organisation_slugs'

/**
 * Announced when the name, the logo or the brand of an organisation changes, which all of its pages show, or the status of its
 * redirects. The key is its ID.
 */
export const ORGANISATIONS_TOPIC = 'organisations'
const ANNOUNCED = ['name', 'logo_url', 'brand', 'redirect_status']

const DEFAULT_REDIRECT_STATUS: RedirectStatus = 302

/** All of them are kept for good. */
const SLUGS_MAX = 20

export async function getOrganisation(db: Db, orgId: OrgId): Promise<Organisation> {
  const row = await selectOrganisation(db, orgId)
  if (row === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  return row
}

export async function getOrganisationBySlug(db: Db, slug: string): Promise<Organisation> {
  const row = await selectOrganisationBySlug(db, slug)
  if (row === undefined) throw new ApiError('not_found', `There is no organisation with the slug "${slug}".`)
  return row
}

export async function findOrganisationIds(db: Db, slugs: readonly string[]): Promise<Map<string, OrgId>> {
  const rows = await selectOrganisationIds(db, slugs)
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

export const listOrganisations = (db: Db): Promise<Organisation[]> => selectOrganisations(db)

export const listDemoOrganisations = (db: Db): Promise<Organisation[]> => selectDemoOrganisations(db)

/** Lets changes of the team wait for each other until the transaction ends. */
export const lockOrganisation = lockOrganisationRow

/** Deletes an organisation that has no other rows any more. Its slugs stay taken. */
export async function removeOrganisation(tx: Tx, orgId: OrgId): Promise<void> {
  const slugs = await retireSlugs(tx, orgId)
  if (slugs.length > 0) await announce(tx, SLUGS_TOPIC, slugs)
  await deleteOrganisationRow(tx, orgId)
}

/** Organisations whose time has come. */
export const listDueForDeletion = selectDueForDeletion

export const hasOrganisations = async (db: Db): Promise<boolean> => (await selectAnyOrganisation(db)) !== undefined

/** `credits` is the balance to begin with. */
export async function createOrganisation(
  tx: Tx,
  input: { name: string; slug: string },
  now: Timestamp,
  { isDemo = false, credits = 0 } = {},
): Promise<Organisation> {
  const { name, slug } = parsePayload(OrganisationCreate, input)
  const values = {
    id: newId() as OrgId,
    name,
    slug,
    rate_per_minute: null,
    rate_per_hour: null,
    storage_bytes_max: null,
    default_language: 'en',
    time_zone: 'UTC',
    logo_url: null,
    brand: NO_BRAND,
    fallback_url: null,
    redirect_status: DEFAULT_REDIRECT_STATUS,
    deletes_at: null,
    is_demo: isDemo,
    created_at: now,
    updated_at: now,
  }
  const organisation = await insertOrganisation(tx, values)
  await takeSlug(tx, organisation.id, slug, now)
  if (credits > 0) await grantCredits(tx, organisation.id, credits, now)
  return organisation
}

export async function getProfile(db: Db, orgId: OrgId): Promise<OrganisationProfile> {
  const profile = await findProfile(db, orgId)
  if (profile === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  return profile
}

export async function findProfile(db: Db, orgId: OrgId): Promise<OrganisationProfile | undefined> {
  const row = await selectProfile(db, orgId)
  return row && toProfile(row)
}

/** Scans call this, also while the organisation is being deleted. */
export const findRedirectStatus = async (db: Db, orgId: OrgId): Promise<RedirectStatus> =>
  (await selectRedirectStatus(db, orgId)) ?? DEFAULT_REDIRECT_STATUS

/** Keeps the file of a logo as long as it is used. Called in the transaction that changes the logo. */
export type LogoChanged = (
  tx: Tx,
  orgId: OrgId,
  logo: { before: string | null; after: string | null },
  now: Timestamp,
) => Promise<void>

export const updateProfile = (
  ctx: Context,
  input: OrganisationUpdate,
  logoChanged: LogoChanged,
): Promise<OrganisationProfile> => ctx.write((tx) => changeProfile(tx, ctx.orgId, input, ctx.now, logoChanged))

/** The CLI uses this. Addresses with the earlier slug keep working. */
export const renameOrganisation = (
  tx: Tx,
  orgId: OrgId,
  input: z.input<typeof OrganisationRename>,
  now: Timestamp,
): Promise<OrganisationProfile> => changeProfile(tx, orgId, parsePayload(OrganisationRename, input), now)

/** Sets or clears the time at which the organisation is deleted. */
export const setDeletion = (
  tx: Tx,
  orgId: OrgId,
  deletesAt: Timestamp | null,
  now: Timestamp,
): Promise<OrganisationProfile> => changeProfile(tx, orgId, { deletes_at: deletesAt }, now)

async function changeProfile(
  tx: Tx,
  orgId: OrgId,
  { brand = {}, ...values }: OrganisationUpdate & { deletes_at?: Timestamp | null },
  now: Timestamp,
  logoChanged?: LogoChanged,
): Promise<OrganisationProfile> {
  await lockOrganisationRow(tx, orgId)
  const before = await getProfile(tx, orgId)
  const after: OrganisationProfile = {
    ...before,
    ...sentFields(values),
    brand: { ...before.brand, ...sentFields(brand) },
    updated_at: now,
  }
  const changes = changesOf(before, after)
  if (changes === undefined) return before
  if (after.slug !== before.slug) await takeSlug(tx, orgId, after.slug, now)
  const { object: _, id: __, ...row } = after
  await updateProfileRow(tx, orgId, row)
  if (ANNOUNCED.some((name) => name in changes)) await announce(tx, ORGANISATIONS_TOPIC, [orgId])
  if (after.logo_url !== before.logo_url)
    await logoChanged?.(tx, orgId, { before: before.logo_url, after: after.logo_url }, now)
  noteUpdated(tx, after, changes)
  return after
}

/** A slug that another organisation had before is taken, too: there may be codes with it. */
async function takeSlug(tx: Tx, orgId: OrgId, slug: string, now: Timestamp): Promise<void> {
  if ((await claimSlug(tx, orgId, slug, now)) !== orgId) {
    throw new ApiError('conflict', 'This slug is taken. Choose another one.', {
      details: { field: 'slug', value: slug },
    })
  }
  if ((await countSlugs(tx, orgId)) > SLUGS_MAX) {
    throw new ApiError(
      'unprocessable',
      `An organisation can have at most ${SLUGS_MAX} slugs over time. Use an earlier one.`,
      {
        details: { field: 'slug', value: slug },
      },
    )
  }
  await announce(tx, SLUGS_TOPIC, [slug])
}

const toProfile = (row: ProfileRow): OrganisationProfile => ({
  object: 'organisation',
  ...row,
  default_language: row.default_language as OrganisationProfile['default_language'],
  brand: toBrand(row.brand),
})

export async function setLimits(tx: Tx, orgId: OrgId, limits: Limits, now: Timestamp): Promise<Organisation> {
  parsePayload(Limits, limits)
  const before = await getOrganisation(tx, orgId)
  const row = await updateOrganisation(tx, orgId, { ...limits, updated_at: now })
  if (row === undefined) throw new ApiError('not_found', 'There is no such organisation.')
  const changes = changesOf(before, row)
  if (changes !== undefined) noteUpdated(tx, { object: 'organisation', id: orgId }, changes)
  return row
}
