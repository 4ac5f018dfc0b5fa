import { DAY_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, lockTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import { hashToken, newId, type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { lockTeam } from '../callers/index.ts'
import { findMemberByEmail, requireMayMakeOwner } from '../members/index.ts'
import { findRole, getRole, type RoleName } from '../roles/index.ts'
import { findUser, foldEmail } from '../users/index.ts'
import type { Invitation, InvitationCreate, InvitationWithToken } from './contract.ts'
import { invitationEvents } from './events.ts'
import { INVITATIONS, INVITATIONS_TO_ADDRESS, invitationMails } from './mails.ts'
import {
  type InvitationRow,
  insertInvitation,
  selectPending,
  selectPendingBy,
  selectPendingById,
  selectPendingByToken,
  updateExpired,
  updateStatus,
} from './queries.ts'

const VALID_MS = 7 * DAY_MS
const TOKEN_LENGTH = 43
/** Limits how many messages an organisation can send to strangers. */
const PENDING_MAX = 200

/** Sends the link of an invitation to its address. */
export type InvitationSender = Pick<Mails, 'admits' | 'canSend' | 'toOutsider'>

export const listInvitations = async (ctx: Context, query: OffsetQuery): Promise<OffsetPage<Invitation>> =>
  pageOf(await selectPending(ctx.read, ctx.orgId, ctx.now), query, toInvitation)

export const getInvitation = async (ctx: Context, id: string): Promise<Invitation> =>
  toInvitation(await requireInvitation(ctx.read, ctx, id))

export async function createInvitation(
  ctx: Context,
  { email, role_id }: InvitationCreate,
  mails: InvitationSender,
): Promise<InvitationWithToken> {
  const role = findRole(role_id)
  if (role === undefined) throw unprocessable('role_id', role_id, 'There is no such role')
  const token = `wmi_${randomBase62(TOKEN_LENGTH)}`
  const values: Omit<InvitationRow, 'created_by'> = {
    id: newId(),
    email,
    role: role.name,
    status: 'pending',
    invited_by: ctx.credential.userId,
    is_mailed: mails.canSend,
    expires_at: timestamp(toMs(ctx.now) + VALID_MS),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const { userId } = ctx.credential
  const inviter = userId === null ? undefined : await findUser(ctx.read, userId)
  const isAdmitted =
    (await mails.admits(INVITATIONS_TO_ADDRESS, `${ctx.orgId}:${hashToken(foldEmail(email))}`, toMs(ctx.now))) &&
    (await mails.admits(INVITATIONS, ctx.orgId, toMs(ctx.now)))
  if (!isAdmitted) throw tooManyMails()
  return ctx.write(async (tx) => {
    const caller = await lockTeam(tx, ctx)
    if (role.name === 'owner') requireMayMakeOwner(caller, ctx)
    const row: InvitationRow = { ...values, created_by: caller.authorId }
    await updateExpired(tx, ctx.orgId, ctx.now)
    if (await findMemberByEmail(tx, ctx.orgId, foldEmail(email))) {
      throw new ApiError('conflict', 'A person with this email address is already a member.', {
        details: { field: 'email', value: email },
      })
    }
    await insertInvitation(tx, ctx.orgId, { ...row, email_folded: foldEmail(email), token_hash: hashToken(token) })
    await requireRoom(tx, ctx.orgId)
    const to = { email, language: inviter?.language ?? null }
    const told = { token, ...(inviter && { invitedBy: inviter.email }) }
    const { invitation: mail } = invitationMails
    if (!(await mails.toOutsider(tx, { orgId: ctx.orgId }, to, mail, told, ctx.now))) throw tooManyMails()
    const invitation = toInvitation(row)
    await emit(tx, ctx.orgId, invitationEvents, 'member.invited', invitation, ctx.now)
    // Somebody who reads the token could take the address. If it was mailed, only the person with the address may have it.
    return mails.canSend ? invitation : { ...invitation, token }
  })
}

export function revokeInvitation(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await requireInvitation(tx, ctx, id)
    if (!(await revoke(tx, ctx.orgId, row, ctx.now))) throw await notFound(tx, ctx.orgId, id)
  })
}

/** Revokes what a person has sent, or a program with an API key of theirs. Returns the addresses. */
export async function revokeInvitationsOf(tx: Tx, orgId: OrgId, userId: string, now: Timestamp): Promise<string[]> {
  const revoked: string[] = []
  for (const row of await selectPendingBy(tx, orgId, userId, now)) {
    if (await revoke(tx, orgId, row, now)) revoked.push(row.email)
  }
  return revoked
}

/** Returns whether it was pending. */
async function revoke(tx: Tx, orgId: OrgId, row: InvitationRow, now: Timestamp): Promise<boolean> {
  if (!(await updateStatus(tx, orgId, row.id, 'revoked', now))) return false
  await insertTombstone(tx, orgId, 'invitation', row.id, now)
  const revoked = toInvitation({ ...row, status: 'revoked', updated_at: now })
  await emit(tx, orgId, invitationEvents, 'invitation.revoked', revoked, now)
  return true
}

interface FoundInvitation {
  id: string
  orgId: OrgId
  role: RoleName
  email: string
  /** Whether its holder can read the mail of the address. */
  isMailed: boolean
}

/** Finds a pending invitation without using it up. */
export async function findInvitation(db: Db, token: string, now: Timestamp): Promise<FoundInvitation | undefined> {
  const row = await selectPendingByToken(db, hashToken(token), now)
  return row && { id: row.id, orgId: row.org_id, role: row.role, email: row.email, isMailed: row.is_mailed }
}

/** Uses an invitation up. Undefined if it is not pending any more. */
export async function takeInvitation(
  tx: Tx,
  token: string,
  status: 'accepted' | 'declined',
  now: Timestamp,
): Promise<FoundInvitation | undefined> {
  const found = await findInvitation(tx, token, now)
  return found && (await updateStatus(tx, found.orgId, found.id, status, now)) ? found : undefined
}

/** Call it after the insert. Concurrent inserts wait for each other at the total, so each counts those before it. */
async function requireRoom(tx: Tx, orgId: OrgId): Promise<void> {
  if ((await lockTotal(tx, orgId, totalOf('invitations', 'status', 'pending'))) <= PENDING_MAX) return
  throw new ApiError(
    'unprocessable',
    `An organisation can have at most ${PENDING_MAX} pending invitations. Revoke one that you no longer need.`,
  )
}

const tooManyMails = (): ApiError =>
  new ApiError('unprocessable', 'Too many invitations were mailed recently. Try again in an hour.')

async function requireInvitation(db: Db, { orgId, now }: Context, id: string): Promise<InvitationRow> {
  const row = await selectPendingById(db, orgId, id, now)
  if (row === undefined) throw await notFound(db, orgId, id)
  return row
}

const notFound = (db: Db, orgId: OrgId, id: string): Promise<ApiError> => notFoundOrGone(db, orgId, 'invitation', id)

function toInvitation(row: InvitationRow): Invitation {
  const { id, email, role, status, invited_by, expires_at, created_at, updated_at } = row
  return {
    object: 'invitation',
    id,
    email,
    role_id: getRole(role).id,
    role,
    status,
    invited_by,
    expires_at,
    created_at,
    updated_at,
  }
}
