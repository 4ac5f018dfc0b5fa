import type { z } from 'zod'
import { LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { newId, type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { slugify, takeSlug } from '../../../platform/text/slugify.ts'
import { isMember } from '../../account/members/index.ts'
import { getProfile } from '../../account/organisations/index.ts'
import { type Block, type BlockInput, copyBlocks, textsIn, toBlocks } from '../blocks/index.ts'
import {
  type Background,
  type Island,
  type Page,
  type PageCreate,
  type PageUpdate,
  type PageWithBlocks,
  PUBLIC_SLUG_LENGTH,
  type pages,
  type Translations,
} from './contract.ts'
import { pageEvents } from './events.ts'
import {
  deletePageRows,
  insertAddress,
  insertPage,
  insertParts,
  insertUnlessSlugTaken,
  isSlugTaken,
  type PageRow,
  type PageRowWithBlocks,
  type PageValues,
  selectPage,
  selectPages,
  updateBlocks,
  updatePageRow,
} from './queries.ts'

type ListQuery = z.output<typeof pages.list.declared.query>

/** Announced when visitors must see a change. The key is the public slug. */
export const PAGES_TOPIC = 'pages'

/** For titles without Latin letters or digits. */
const SLUG_FALLBACK = 'page'
const REVISION_LENGTH = 10
const DEFAULT_BACKGROUND: Background = { type: 'color', value: '#fbf8f3', animated: false }
const DEFAULT_ISLAND: Island = { color: '#ffffff', opacity: 1, shadow: 'none', roundness: 16 }

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

export function createPage(ctx: Context, input: PageCreate, publicUrl: string): Promise<PageWithBlocks> {
  const { blocks: inputs = [], island, slug, ...sent } = input
  return ctx.write(async (tx) => {
    const blocks = await toBlocks(tx, ctx.orgId, inputs, new Set())
    const defaultLanguage = sent.default_language ?? (await getProfile(tx, ctx.orgId)).default_language
    const draft: Draft = {
      status: sent.status ?? 'draft',
      title: sent.title,
      description: sent.description ?? null,
      background: sent.background ?? DEFAULT_BACKGROUND,
      island: { ...DEFAULT_ISLAND, ...sentFields(island ?? {}) },
      favicon_url: sent.favicon_url ?? null,
      meta_title: sent.meta_title ?? null,
      meta_description: sent.meta_description ?? null,
      og_image_url: sent.og_image_url ?? null,
      default_language: defaultLanguage,
      translations: sent.translations ?? {},
      proof_of_work: sent.proof_of_work ?? 'automatic',
      notify_user_ids: sent.notify_user_ids ?? [],
    }
    await requireMembers(tx, ctx.orgId, draft.notify_user_ids)
    return insertDraft(tx, ctx, draft, blocks, slug, publicUrl)
  })
}

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
    return applyChange(tx, ctx, row, after, publicUrl)
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
    return applyChange(tx, ctx, row, { ...row, blocks }, publicUrl)
  })
}

export function duplicatePage(ctx: Context, id: string, publicUrl: string): Promise<PageWithBlocks> {
  return ctx.write(async (tx) => {
    const { slug: _, id: __, public_slug: ___, ...row } = await requirePage(tx, ctx.orgId, id)
    const draft = { ...row, status: 'draft' as const }
    return insertDraft(tx, ctx, draft, copyBlocks(row.blocks as Block[]), undefined, publicUrl)
  })
}

export function deletePage(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const { slug, public_slug, title } = await lockPage(tx, ctx.orgId, id)
    await deletePageRows(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'page', id, ctx.now)
    await announce(tx, PAGES_TOPIC, [public_slug])
    const deleted = { object: 'page', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, pageEvents, 'page.deleted', deleted, ctx.now, { slug, public_slug, title })
  })
}

/** What a page has before it gets its addresses. */
type Draft = Omit<PageValues, 'id' | 'slug' | 'public_slug' | 'languages' | 'revision' | 'created_at' | 'updated_at'>

async function insertDraft(
  tx: Tx,
  ctx: Context,
  draft: Draft,
  blocks: Block[],
  sentSlug: string | undefined,
  publicUrl: string,
): Promise<PageWithBlocks> {
  const id = newId()
  const { status, title, description, background, island, favicon_url, meta_title, meta_description } = draft
  const { og_image_url, default_language, translations, proof_of_work, notify_user_ids } = draft
  const values: Omit<PageValues, 'slug'> = {
    id,
    public_slug: await claimPublicSlug(tx, ctx.orgId, id),
    ...{ status, title, description, background, island, favicon_url, meta_title, meta_description },
    ...{ og_image_url, default_language, translations, proof_of_work, notify_user_ids },
    languages: languagesOf({ ...draft, blocks }),
    revision: randomBase62(REVISION_LENGTH),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const slug = await insertWithSlug(tx, ctx.orgId, values, sentSlug)
  await insertParts(tx, ctx.orgId, id, blocks)
  await announce(tx, PAGES_TOPIC, [values.public_slug])
  const row = { ...values, slug, view_count: 0 }
  await emit(tx, ctx.orgId, pageEvents, 'page.created', toPage(row, publicUrl), ctx.now)
  return toPageWithBlocks({ ...row, blocks }, publicUrl)
}

/** A slug that was sent is used as it is or refused. One derived from the title gets a number if it is taken. */
async function insertWithSlug(
  tx: Tx,
  orgId: OrgId,
  values: Omit<PageValues, 'slug'>,
  sent: string | undefined,
): Promise<string> {
  if (sent !== undefined) {
    await insertPage(tx, orgId, { ...values, slug: sent })
    return sent
  }
  return takeSlug(
    slugify(values.title, SLUG_FALLBACK),
    (slug) => isSlugTaken(tx, orgId, slug),
    (slug) => insertUnlessSlugTaken(tx, orgId, { ...values, slug }),
  )
}

/** Draws a public slug that no page of any organisation has ever had. */
async function claimPublicSlug(tx: Tx, orgId: OrgId, id: string): Promise<string> {
  const publicSlug = randomBase62(PUBLIC_SLUG_LENGTH)
  return (await insertAddress(tx, orgId, publicSlug, id)) ? publicSlug : claimPublicSlug(tx, orgId, id)
}

async function applyChange(
  tx: Tx,
  ctx: Context,
  row: PageRowWithBlocks,
  changed: PageRowWithBlocks,
  publicUrl: string,
): Promise<PageWithBlocks> {
  const after = { ...changed, languages: languagesOf(changed) }
  const before = toPageWithBlocks(row, publicUrl)
  const changes = changesOf(before, toPageWithBlocks(after, publicUrl))
  if (changes === undefined) return before
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
  await updatePageRow(tx, ctx.orgId, { ...values, revision: randomBase62(REVISION_LENGTH) })
  if ('blocks' in changes) await updateBlocks(tx, ctx.orgId, row.id, blocks)
  await announce(tx, PAGES_TOPIC, [row.public_slug])
  await emit(tx, ctx.orgId, pageEvents, 'page.updated', { ...toPage(row, publicUrl), changes }, ctx.now)
  return toPageWithBlocks(row, publicUrl)
}

/** The languages that a visitor can choose from, in their usual order. */
function languagesOf({
  default_language,
  translations,
  blocks,
}: Pick<PageRowWithBlocks, 'default_language' | 'translations' | 'blocks'>): Language[] {
  const found = new Set<string>([default_language, ...Object.keys(translations)])
  for (const block of blocks as Block[]) {
    for (const { language } of textsIn(block.config)) if (language !== undefined) found.add(language)
  }
  return LANGUAGES.filter((language) => found.has(language))
}

async function requireMembers(db: Db, orgId: OrgId, userIds: readonly string[]): Promise<void> {
  for (const id of userIds) {
    if (await isMember(db, orgId, id)) continue
    throw unprocessable('notify_user_ids', id, 'there is no member with this user id in your organisation')
  }
}

async function requirePage(db: Db, orgId: OrgId, id: string): Promise<PageRowWithBlocks> {
  const row = await selectPage(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'page', id)
  return row
}

async function lockPage(tx: Tx, orgId: OrgId, id: string): Promise<PageRowWithBlocks> {
  await lockRow(tx, orgId, 'pages', id)
  return requirePage(tx, orgId, id)
}

function toPage(row: PageRow, publicUrl: string): Page {
  const { id, slug, public_slug, status, title, description, favicon_url, meta_title, meta_description } = row
  return {
    object: 'page',
    id,
    slug,
    public_slug,
    url: `${publicUrl}/p/${public_slug}`,
    status,
    title,
    description,
    background: row.background as Background,
    island: row.island as Island,
    favicon_url,
    meta_title,
    meta_description,
    og_image_url: row.og_image_url,
    default_language: row.default_language as Language,
    languages: row.languages as Language[],
    translations: row.translations as Translations,
    proof_of_work: row.proof_of_work,
    notify_user_ids: row.notify_user_ids,
    view_count: Number(row.view_count),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

const toPageWithBlocks = (row: PageRowWithBlocks, publicUrl: string): PageWithBlocks => ({
  ...toPage(row, publicUrl),
  blocks: row.blocks as Block[],
})
