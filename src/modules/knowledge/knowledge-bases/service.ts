import type { z } from 'zod'
import { noteCreated, noteDeleted, noteUpdated } from '../../../platform/audit/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { drawPublicSlug } from '../../../platform/ids/draw-public-slug.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { insertWithSlug, slugify } from '../../../platform/text/slugify.ts'
import { type AssetOwner, setAssetReferences } from '../../assets/assets/index.ts'
import type {
  KnowledgeBase,
  KnowledgeBaseCreate,
  KnowledgeBaseUpdate,
  knowledgeBases,
  NameTranslations,
} from './contract.ts'
import {
  countKnowledgeBases,
  deleteKnowledgeBaseRow,
  insertAddress,
  insertKnowledgeBase,
  insertUnlessSlugTaken,
  isSlugTaken,
  type KnowledgeBaseRow,
  selectKnowledgeBase,
  selectKnowledgeBases,
  updateKnowledgeBaseRow,
} from './queries.ts'
import { inOrder } from './translated-name.ts'

type ListQuery = z.output<typeof knowledgeBases.list.declared.query>

/** Used for names without Latin letters or digits. */
const SLUG_FALLBACK = 'knowledge-base'

export function listKnowledgeBases(
  ctx: Context,
  query: ListQuery,
  publicUrl: string,
): Promise<OffsetPage<KnowledgeBase>> {
  const { is_published: isPublished } = query
  return offsetPage(ctx, query, {
    totals: ['knowledge_bases'],
    count: isPublished === undefined ? undefined : (db) => countKnowledgeBases(db, ctx.orgId, isPublished),
    rows: (db, limit, offset) => selectKnowledgeBases(db, ctx.orgId, isPublished, limit, offset),
    toItem: (row) => toKnowledgeBase(row, publicUrl),
  })
}

export function createKnowledgeBase(
  ctx: Context,
  input: KnowledgeBaseCreate,
  publicUrl: string,
): Promise<KnowledgeBase> {
  return ctx.write(async (tx) => {
    const id = newId()
    const draft: Omit<KnowledgeBaseRow, 'slug'> = {
      id,
      name: input.name,
      public_slug: await drawPublicSlug((publicSlug) => insertAddress(tx, ctx.orgId, publicSlug, id)),
      description: input.description ?? null,
      logo_url: input.logo_url ?? null,
      primary_color: input.primary_color ?? null,
      contact_email: input.contact_email ?? null,
      contact_phone: input.contact_phone ?? null,
      is_published: input.is_published ?? false,
      default_language: input.default_language ?? 'en',
      everyday_synonyms: input.everyday_synonyms ?? true,
      translations: input.translations ?? {},
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    const slug = await insertWithSlug(input.slug, slugify(draft.name, SLUG_FALLBACK), {
      insert: (sent) => insertKnowledgeBase(tx, ctx.orgId, { ...draft, slug: sent }),
      isTaken: (derived) => isSlugTaken(tx, ctx.orgId, derived),
      insertUnlessTaken: (derived) => insertUnlessSlugTaken(tx, ctx.orgId, { ...draft, slug: derived }),
    })
    await setAssetReferences(tx, ctx.orgId, assetOwner(id), [draft.logo_url], ctx.now, { before: [] })
    const created = toKnowledgeBase({ ...draft, slug }, publicUrl)
    noteCreated(tx, created)
    return created
  })
}

export const getKnowledgeBase = async (ctx: Context, id: string, publicUrl: string): Promise<KnowledgeBase> =>
  toKnowledgeBase(await requireKnowledgeBase(ctx.read, ctx.orgId, id), publicUrl)

export function updateKnowledgeBase(
  ctx: Context,
  id: string,
  input: KnowledgeBaseUpdate,
  publicUrl: string,
): Promise<KnowledgeBase> {
  return ctx.write(async (tx) => {
    const row = await lockKnowledgeBase(tx, ctx.orgId, id)
    const updated: KnowledgeBaseRow = { ...row, ...sentFields(input), updated_at: ctx.now }
    const after = toKnowledgeBase(updated, publicUrl)
    const changes = changesOf(toKnowledgeBase(row, publicUrl), after)
    if (changes === undefined) return toKnowledgeBase(row, publicUrl)
    await updateKnowledgeBaseRow(tx, ctx.orgId, updated)
    if (updated.logo_url !== row.logo_url) {
      const before = [row.logo_url]
      await setAssetReferences(tx, ctx.orgId, assetOwner(id), [updated.logo_url], ctx.now, { before })
    }
    noteUpdated(tx, after, changes)
    return after
  })
}

/** Whether the knowledge base contains articles or categories. */
export type IsInUse = (tx: Tx, orgId: OrgId, knowledgeBaseId: string) => Promise<boolean>

export function deleteKnowledgeBase(ctx: Context, id: string, isInUse: IsInUse): Promise<void> {
  return ctx.write(async (tx) => {
    // Adding to a knowledge base takes `lockReferencedKnowledgeBase`, so it waits from here on.
    const row = await lockKnowledgeBase(tx, ctx.orgId, id)
    if (await isInUse(tx, ctx.orgId, id)) {
      throw new ApiError(
        'conflict',
        'The knowledge base still contains articles or categories. Delete or move them first.',
        { details: { reason: 'not_empty' } },
      )
    }
    await deleteKnowledgeBaseRow(tx, ctx.orgId, id)
    await setAssetReferences(tx, ctx.orgId, assetOwner(id), [], ctx.now, { before: [row.logo_url] })
    await insertTombstone(tx, ctx.orgId, 'knowledge_base', id, ctx.now)
    noteDeleted(tx, { object: 'knowledge_base', id, name: row.name, slug: row.slug })
  })
}

const assetOwner = (id: string): AssetOwner => ({ kind: 'knowledge_base', id })

/**
 * Locks the knowledge base of a new or moved row against deletion until the transaction ends, and returns it; throws 422
 * if missing.
 */
export async function lockReferencedKnowledgeBase(tx: Tx, orgId: OrgId, id: string): Promise<KnowledgeBaseRow> {
  await lockRow(tx, orgId, 'knowledge_bases', id, 'reference')
  const row = await selectKnowledgeBase(tx, orgId, id)
  if (row !== undefined) return row
  throw unprocessable('knowledge_base_id', id, 'there is no knowledge base with this id in your organisation')
}

export async function requireKnowledgeBase(db: Db, orgId: OrgId, id: string): Promise<KnowledgeBaseRow> {
  const row = await selectKnowledgeBase(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'knowledge_base', id)
  return row
}

export async function lockKnowledgeBase(tx: Tx, orgId: OrgId, id: string): Promise<KnowledgeBaseRow> {
  await lockRow(tx, orgId, 'knowledge_bases', id)
  return requireKnowledgeBase(tx, orgId, id)
}

function toKnowledgeBase(row: KnowledgeBaseRow, publicUrl: string): KnowledgeBase {
  const { id, name, slug, public_slug, description, logo_url, primary_color, is_published } = row
  return {
    object: 'knowledge_base',
    id,
    name,
    slug,
    public_slug,
    url: `${publicUrl}/kb/${public_slug}`,
    description,
    logo_url,
    primary_color,
    contact_email: row.contact_email,
    contact_phone: row.contact_phone,
    is_published,
    default_language: row.default_language,
    everyday_synonyms: row.everyday_synonyms,
    translations: inOrder(row.translations as NameTranslations),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
