import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { isMember } from '../../account/members/index.ts'
import { announceSignal } from './announcements.ts'
import { changeConversation, nextTime } from './change.ts'
import type { Conversation, ConversationUpdate } from './contract.ts'
import { fieldsAfter, findTransition, type Transition } from './lifecycle.ts'
import { noticesOf } from './notices.ts'
import { type ConversationRow, updateRead } from './queries.ts'
import { lockConversation, requireConversation, toConversation } from './stored-conversation.ts'
import { admitsTeamMail, mailTeam, type TeamMails } from './team-mail.ts'

export const getConversation = async (ctx: Context, id: string): Promise<Conversation> =>
  toConversation(await requireConversation(ctx.read, ctx.orgId, id))

export interface UpdateSettings {
  /** The address of the API, for the files in messages. */
  appUrl: string
  mails: TeamMails
}

/**
 * Changes what was sent. A status that it has already changes nothing. Members who may answer get a mail when the visitor begins
 * to wait for a person, apart from the one who made the change: `actorId`, or null for a program.
 */
export async function updateConversation(
  ctx: Context,
  id: string,
  { status, ...fields }: ConversationUpdate,
  actorId: string | null,
  { appUrl, mails }: UpdateSettings,
): Promise<Conversation> {
  const { orgId, now: requestedAt } = ctx
  const asksForPerson =
    status === 'agent_requested' && (await requireConversation(ctx.read, orgId, id)).status === 'bot_active'
  const request = { orgId, address: null, mailedAt: null }
  const mayMail = asksForPerson && (await admitsTeamMail(mails, request, requestedAt))
  return ctx.write(async (tx) => {
    const before = await lockConversation(tx, ctx.orgId, id)
    await requireAssignee(tx, ctx.orgId, fields.assigned_to)
    const transition = transitionTo(before, status)
    const now = nextTime(before, ctx.now)
    const after = { ...before, ...sent(fields), ...(transition && fieldsAfter(transition, now)) }
    const isSame = Object.keys(after).every(
      (name) => before[name as keyof ConversationRow] === after[name as keyof ConversationRow],
    )
    if (isSame) return toConversation(before)
    const messages = transition ? await noticesOf(tx, ctx.orgId, transition, before, ctx.now) : []
    const changed = { ...after, changed_at: now }
    const told = mayMail && transition ? await mailTeam(tx, orgId, changed, { mails, actorId }, ctx.now) : changed
    const change = { before, after: told, messages }
    return toConversation((await changeConversation(tx, ctx.orgId, change, appUrl)).row)
  })
}

/** Undefined if nothing changes. */
function transitionTo(row: ConversationRow, status: ConversationUpdate['status']): Transition | undefined {
  if (status === undefined || (status === row.status && status !== 'bot_active')) return undefined
  const transition = findTransition(row.status, status, 'patch')
  if (transition !== undefined) return transition
  throw unprocessable('status', status, `a conversation that is ${row.status} cannot become ${status} by a PATCH`)
}

/** Leaves out the fields that were not sent. */
const sent = (fields: Omit<ConversationUpdate, 'status'>): Partial<ConversationRow> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

async function requireAssignee(tx: Tx, orgId: OrgId, userId: string | null | undefined): Promise<void> {
  if (userId == null || (await isMember(tx, orgId, userId))) return
  throw unprocessable('assigned_to', userId, 'there is no member with this user id in your organisation')
}

/** Tells the open chat of the visitor. Nothing is stored. */
export function markTyping(ctx: Context, id: string): Promise<Conversation> {
  return ctx.write(async (tx) => {
    const row = await requireConversation(tx, ctx.orgId, id)
    await announceSignal(tx, id, 'agent_typing')
    return toConversation(row)
  })
}

export function markRead(ctx: Context, id: string): Promise<Conversation> {
  return ctx.write(async (tx) => {
    const row = await lockConversation(tx, ctx.orgId, id)
    const agent_read_at: Timestamp = ctx.now
    await updateRead(tx, ctx.orgId, id, { agent_read_at })
    await announceSignal(tx, id, 'agent_read')
    return toConversation({ ...row, agent_read_at })
  })
}
