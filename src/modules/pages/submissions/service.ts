import type { z } from 'zod'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { areFewRanges, type Db, type Tx } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import { isMember } from '../../account/members/index.ts'
import type { SubmissionData } from '../form/index.ts'
import { toActivity } from './activity.ts'
import { insertActivity } from './activity-queries.ts'
import { toSearchText } from './answer-texts.ts'
import type { Submission, SubmissionUpdate, submissions } from './contract.ts'
import { submissionEvents } from './events.ts'
import { type Selection, selectSizes, selectSubmissions } from './list-queries.ts'
import { toSelection } from './list-ranges.ts'
import { withProperties } from './properties.ts'
import { type SubmissionRow, updateSubmissionRow } from './queries.ts'
import { lockSubmission, requireSubmission, toSubmission } from './stored-submission.ts'

type ListQuery = z.output<typeof submissions.list.declared.query>

export const listSubmissions = (
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<Submission>> => {
  const { limit, cursor: _, include, ...filters } = query
  const added = { properties: include !== undefined }
  const selection = toSelection(filters)
  return readPage(readerFor(ctx, selection), ctx.orgId, selection, after, limit, added)
}

/** What is read with the submissions of a page. */
interface Added {
  properties?: boolean
  replies?: boolean
}

/** One page of a list: at most `limit` submissions, and with what is added not much more than 1 MiB. */
export async function readPage(
  db: Db,
  orgId: OrgId,
  selection: Selection,
  after: Position | undefined,
  limit: number,
  { properties = false, replies = false }: Added,
): Promise<CursorPage<Submission>> {
  const page = await cursorPage(
    { limit },
    (count) => selectSubmissions(db, orgId, selection, after, count),
    toSubmission,
    (count) => selectSizes(db, orgId, selection, after, count, replies),
  )
  return properties ? withProperties(db, orgId, page) : page
}

/** Several ids, and a search, may read many rows. */
const readerFor = (ctx: Context, selection: Selection): Db =>
  areFewRanges(selection) && selection.behind.length === 0 && !selection.search ? ctx.read : ctx.readLong

export async function getSubmission(ctx: Context, id: string, { include }: Pick<ListQuery, 'include'>) {
  const submission = toSubmission(await requireSubmission(ctx.read, ctx.orgId, id))
  if (include === undefined) return submission
  const { data } = await withProperties(ctx.read, ctx.orgId, { data: [submission], next: null })
  return data[0] as Submission
}

/** `actorId` is the person who changes it, or null for a program. */
export function updateSubmission(
  ctx: Context,
  id: string,
  input: SubmissionUpdate,
  actorId: string | null,
): Promise<Submission> {
  return ctx.write(async (tx) => {
    const row = await lockSubmission(tx, ctx.orgId, id)
    await requireAssignee(tx, ctx.orgId, input.assignee_id)
    const set = { ...sentFields(input), ...followingStatus(row, input.status, actorId, ctx.now) }
    const changes = changesOf(toSubmission(row), toSubmission({ ...row, ...set }))
    if (changes === undefined) return toSubmission(row)
    const stored = { ...row, ...set, updated_at: ctx.now }
    const search_text = toSearchText(stored.data as SubmissionData, stored.notes)
    await updateSubmissionRow(tx, ctx.orgId, id, { ...set, updated_at: ctx.now, search_text })
    await insertActivity(tx, ctx.orgId, toActivity(row, stored, actorId, ctx.now))
    const submission = toSubmission(stored)
    await emit(tx, ctx.orgId, submissionEvents, 'submission.updated', { ...submission, changes }, ctx.now)
    return submission
  })
}

/** What changes with the status. */
function followingStatus(
  row: SubmissionRow,
  status = row.status,
  actorId: string | null,
  now: Timestamp,
): Partial<SubmissionRow> {
  if (status === row.status) return {}
  const isResolved = status === 'resolved'
  return {
    viewed_at: row.viewed_at ?? now,
    resolved_by: isResolved ? actorId : null,
    resolved_at: isResolved ? now : null,
  }
}

async function requireAssignee(tx: Tx, orgId: OrgId, userId: string | null | undefined): Promise<void> {
  if (userId == null || (await isMember(tx, orgId, userId))) return
  throw unprocessable('assignee_id', userId, 'there is no member with this user id in your organisation')
}
