import type { z } from 'zod'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { unprocessableEntry } from '../../../platform/errors/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { isMember } from '../../account/members/index.ts'
import { type Block, type BlockInput, toBlocks } from '../blocks/index.ts'
import type { Page, PageUpdate, PageWithBlocks, pages } from './contract.ts'
import { pageEvents } from './events.ts'
import {
  deletePageRows,
  type PageRowWithBlocks,
  selectPage,
  selectPages,
  updateBlocks,
  updatePageRow,
} from './queries.ts'
import { keepFiles, languagesOf, newRevision, PAGES_TOPIC, toPage, toPageWithBlocks } from './stored-page.ts'

type ListQuery = z.output<typeof pages.list.declared.query>

export const listPages = (
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
  publicUrl: string,
): Promise<CursorPage<Page>> =>
  cursorPage(
    query,
    (limit) => selectPages(ctx.read, ctx.orgId, query.status, after, limit),
    (row) => toPage(row, publicUrl),
  )

export const getPage = async (ctx: Context, id: string, publicUrl: string): Promise<PageWithBlocks> =>
  toPageWithBlocks(await requirePage(ctx.read, ctx.orgId, id), publicUrl)

export function updatePage(ctx: Context, id: string, input: PageUpdate, publicUrl: string): Promise<PageWithBlocks> {
  return ctx.write(async (tx) => {
    const row = await lockPage(tx, ctx.orgId, id)
    const { island, ...sent } = input
    const after: PageRowWithBlocks = {
      ...row,
      ...sentFields(sent),
      island: { ...row.island, ...sentFields(island ?? {}) },
    }
    if (input.notify_user_ids !== undefined) await requireMembers(tx, ctx.orgId, input.notify_user_ids)
    const field = input.translations === undefined ? 'default_language' : 'translations'
    const languages = languagesOf(after, field)
    return applyChange(tx, ctx, row, { ...after, languages }, publicUrl)
  })
}

export function replaceBlocks(
  ctx: Context,
  id: string,
  inputs: readonly BlockInput[],
  publicUrl: string,
): Promise<PageWithBlocks> {
  return ctx.write(async (tx) => {
    const row = await lockPage(tx, ctx.orgId, id)
    const ownIds = new Set((row.blocks as Block[]).map((block) => block.id))
    const blocks = await toBlocks(tx, ctx.orgId, inputs, ownIds)
    const languages = languagesOf({ ...row, blocks }, 'blocks')
    return applyChange(tx, ctx, row, { ...row, blocks, languages }, publicUrl)
  })
}

export function deletePage(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await lockPage(tx, ctx.orgId, id)
    const { slug, public_slug, title } = row
    await deletePageRows(tx, ctx.orgId, id)
    await keepFiles(tx, ctx.orgId, id, null, row, ctx.now)
    await insertTombstone(tx, ctx.orgId, 'page', id, ctx.now)
    await announce(tx, PAGES_TOPIC, [public_slug])
    const deleted = { object: 'page', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, pageEvents, 'page.deleted', deleted, ctx.now, { slug, public_slug, title })
  })
}

async function applyChange(
  tx: Tx,
  ctx: Context,
  row: PageRowWithBlocks,
  after: PageRowWithBlocks,
  publicUrl: string,
): Promise<PageWithBlocks> {
  const before = toPageWithBlocks(row, publicUrl)
  const changes = changesOf(before, toPageWithBlocks(after, publicUrl))
  if (changes === undefined) return before
  await keepFiles(tx, ctx.orgId, row.id, after, row, ctx.now)
  return storeChange(tx, ctx, { ...after, updated_at: ctx.now }, changes, publicUrl)
}

async function storeChange(
  tx: Tx,
  ctx: Context,
  row: PageRowWithBlocks,
  changes: Changes,
  publicUrl: string,
): Promise<PageWithBlocks> {
  const { blocks, view_count: _, ...values } = row
  await updatePageRow(tx, ctx.orgId, { ...values, revision: newRevision() })
  if ('blocks' in changes) await updateBlocks(tx, ctx.orgId, row.id, blocks)
  await announce(tx, PAGES_TOPIC, [row.public_slug])
  await emit(tx, ctx.orgId, pageEvents, 'page.updated', { ...toPage(row, publicUrl), changes }, ctx.now)
  return toPageWithBlocks(row, publicUrl)
}

export async function requirePage(db: Db, orgId: OrgId, id: string): Promise<PageRowWithBlocks> {
  const row = await selectPage(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'page', id)
  return row
}

async function lockPage(tx: Tx, orgId: OrgId, id: string): Promise<PageRowWithBlocks> {
  await lockRow(tx, orgId, 'pages', id)
  return requirePage(tx, orgId, id)
}

export async function requireMembers(db: Db, orgId: OrgId, userIds: readonly string[]): Promise<void> {
  for (const id of userIds) {
    if (await isMember(db, orgId, id)) continue
    throw unprocessableEntry(
      'notify_user_ids',
      userIds,
      id,
      'there is no member with this user id in your organisation',
    )
  }
}
