import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, lockTotal, type Tx } from '../../../platform/db/index.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { requireRecentSignIn } from '../../../platform/http/pipeline/recent-sign-in.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import { type Caller, lockTeam } from '../callers/index.ts'
import { lockOrganisation } from '../organisations/index.ts'
import { findRole, getRole, isLower, type RoleName } from '../roles/index.ts'
import type { Member, MemberUpdate } from './contract.ts'
import { memberEvents } from './events.ts'
import {
  deleteMemberRow,
  insertMember,
  type MemberRow,
  selectMember,
  selectMemberByEmail,
  selectMemberOf,
  selectMembers,
  selectMemberships,
  selectOtherOwner,
  selectOwner,
  updateRole,
} from './queries.ts'

const MEMBERS_MAX = 1000

export const listMembers = (ctx: Context, query: OffsetQuery): Promise<OffsetPage<Member>> =>
  offsetPage(ctx, query, {
    totals: ['members'],
    count: undefined,
    rows: (db, limit, offset) => selectMembers(db, ctx.orgId, limit, offset),
    toItem: toMember,
  })

/** The command line uses this. */
export const listMembersOf = async (db: Db, orgId: OrgId): Promise<Member[]> =>
  (await selectMembers(db, orgId, MEMBERS_MAX, 0)).map(toMember)

export const getMember = async (ctx: Context, id: string): Promise<Member> =>
  toMember(await requireMember(ctx.read, ctx.orgId, id))

/** What else ends in the same transaction. Passed in, because those families know this one. */
export interface Departure {
  /** Ends what a person has let others do in an organisation: their connected applications. */
  endGrants: (tx: Tx, orgId: OrgId, userId: string, now: Timestamp) => Promise<void>
  /** Ends what a person could come back by: invitations and API keys that they have created. */
  withdrawTrust: (tx: Tx, orgId: OrgId, member: Member, now: Timestamp) => Promise<void>
}

export function updateMember(
  ctx: Context,
  id: string,
  { role_id }: MemberUpdate,
  { withdrawTrust }: Pick<Departure, 'withdrawTrust'>,
): Promise<Member> {
  return ctx.write(async (tx) => {
    const caller = await lockTeam(tx, ctx)
    const row = await requireMember(tx, ctx.orgId, id)
    if (role_id === undefined) return toMember(row)
    const role = findRole(role_id)
    if (role === undefined) throw unprocessable('role_id', role_id, 'There is no such role')
    if (role.name === row.role) return toMember(row)
    if (role.name === 'owner') requireMayMakeOwner(caller, ctx)
    if (row.role === 'owner') await requireMayLoseOwner(tx, caller, ctx, row.id, role_id)
    const after = await changeRole(tx, ctx, row, role.name)
    if (isLower(role.name, row.role)) await withdrawTrust(tx, ctx.orgId, after, ctx.now)
    return after
  })
}

export function removeMember(ctx: Context, id: string, { endGrants, withdrawTrust }: Departure): Promise<void> {
  return ctx.write(async (tx) => {
    const caller = await lockTeam(tx, ctx)
    const row = await requireMember(tx, ctx.orgId, id)
    if (row.role === 'owner') await requireMayLoseOwner(tx, caller, ctx, row.id, row.id)
    await endGrants(tx, ctx.orgId, row.user_id, ctx.now)
    await deleteMemberRow(tx, ctx.orgId, id)
    await emit(tx, ctx.orgId, memberEvents, 'member.removed', toMember(row), ctx.now)
    await withdrawTrust(tx, ctx.orgId, toMember(row), ctx.now)
  })
}

export const findMemberByEmail = selectMemberByEmail

/** Includes owners who are deactivated: a link for the first owner must not work again because of that. */
export const hasOwner = async (db: Db, orgId: OrgId): Promise<boolean> => (await selectOwner(db, orgId)) !== undefined

/** The organisations that a person belongs to, the one they joined first. */
export const listMemberships = selectMemberships

export const isMember = async (db: Db, orgId: OrgId, userId: string): Promise<boolean> =>
  (await selectMemberOf(db, orgId, userId)) !== undefined

export const findFirstOrganisation = async (db: Db, userId: string): Promise<OrgId | undefined> =>
  (await selectMemberships(db, userId))[0]?.org_id

/** Adds a person to an organisation. */
export async function addMember(tx: Tx, orgId: OrgId, userId: string, role: RoleName, now: Timestamp): Promise<Member> {
  await lockOrganisation(tx, orgId)
  await insertMember(tx, orgId, { id: newId(), user_id: userId, role, joined_at: now, updated_at: now })
  if ((await lockTotal(tx, orgId, 'members')) > MEMBERS_MAX) {
    throw new ApiError('unprocessable', `An organisation can have at most ${MEMBERS_MAX} members.`)
  }
  const member = toMember((await selectMemberOf(tx, orgId, userId)) as MemberRow)
  await emit(tx, orgId, memberEvents, 'member.joined', member, now)
  return member
}

async function changeRole(tx: Tx, ctx: Context, row: MemberRow, role: RoleName): Promise<Member> {
  const before = toMember(row)
  const after = toMember({ ...row, role, updated_at: ctx.now })
  await updateRole(tx, ctx.orgId, row.id, role, ctx.now)
  const changes = changesOf(before, after) ?? {}
  await emit(tx, ctx.orgId, memberEvents, 'member.role_changed', { ...after, changes }, ctx.now)
  return after
}

/**
 * Only an owner lowers or removes an owner, in person. Call it with the team locked, so that two owners cannot leave, or
 * lower each other, at the same moment.
 */
async function requireMayLoseOwner(
  tx: Tx,
  { role }: Caller,
  { orgId, credential, now }: Context,
  id: string,
  value: string,
): Promise<void> {
  if (credential.kind !== 'session' || role !== 'owner') {
    throw new ApiError('forbidden', 'Only an owner who is signed in may lower or remove an owner.')
  }
  requireRecentSignIn(credential, toMs(now))
  if ((await selectOtherOwner(tx, orgId, id)) !== undefined) return
  throw conflictingRole(value, 'This is the last owner who can sign in. The organisation needs another owner first.')
}

/**
 * Only an owner makes somebody an owner, in person. A session that was left open or stolen is not enough, and neither is
 * an API key.
 */
export function requireMayMakeOwner({ role }: Caller, { credential, now }: Context): void {
  if (credential.kind !== 'session' || role !== 'owner') {
    throw conflictingRole(getRole('owner').id, 'Only an owner who is signed in can make somebody an owner.')
  }
  requireRecentSignIn(credential, toMs(now))
}

const conflictingRole = (value: string, message: string): ApiError =>
  new ApiError('conflict', message, { details: { field: 'role_id', value } })

async function requireMember(db: Db, orgId: OrgId, id: string): Promise<MemberRow> {
  const row = await selectMember(db, orgId, id)
  if (row === undefined) throw new ApiError('not_found', 'There is no member with this id in your organisation.')
  return row
}

function toMember(row: MemberRow): Member {
  const { id, user_id, first_name, last_name, email, role, joined_at, updated_at } = row
  return {
    object: 'member',
    id,
    user_id,
    first_name,
    last_name,
    email,
    avatar_url: null,
    role_id: getRole(role).id,
    role,
    joined_at,
    updated_at,
  }
}
