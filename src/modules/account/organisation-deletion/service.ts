import { DAY_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { lockTeam } from '../callers/index.ts'
import { getProfile, type OrganisationProfile, setDeletion } from '../organisations/index.ts'
import type { DeletionRequest } from './contract.ts'

/** How long an owner can change their mind. */
const GRACE_MS = 30 * DAY_MS

/** A second request does not make the first one later. */
export const requestDeletion = (ctx: Context, { slug }: DeletionRequest): Promise<OrganisationProfile> =>
  ctx.write(async (tx) => {
    if ((await lockTeam(tx, ctx)).role !== 'owner') throw new ApiError('forbidden', 'Only an owner may do this.')
    const profile = await getProfile(tx, ctx.orgId)
    if (slug !== profile.slug) throw unprocessable('slug', slug, 'this is not the slug of your organisation')
    if (profile.deletes_at !== null) return profile
    return setDeletion(tx, ctx.orgId, timestamp(toMs(ctx.now) + GRACE_MS), ctx.now)
  })

export const cancelDeletion = (ctx: Context): Promise<OrganisationProfile> =>
  ctx.write((tx) => setDeletion(tx, ctx.orgId, null, ctx.now))
