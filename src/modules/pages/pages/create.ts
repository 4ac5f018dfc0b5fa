import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, type Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { drawPublicSlug } from '../../../platform/ids/draw-public-slug.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { insertWithSlug, slugify } from '../../../platform/text/slugify.ts'
import { getProfile } from '../../account/organisations/index.ts'
import { type Block, relabel, toBlocks, toOwnBlocks } from '../blocks/index.ts'
import { getTemplate, type TemplateName } from '../page-templates/index.ts'
import {
  DEFAULT_BACKGROUND,
  DEFAULT_ISLAND,
  type PageCreate,
  type PageWithBlocks,
  type Translations,
} from './contract.ts'
import { pageEvents } from './events.ts'
import {
  insertAddress,
  insertPage,
  insertParts,
  insertUnlessSlugTaken,
  isSlugTaken,
  type PageValues,
} from './queries.ts'
import { requireMembers, requirePage } from './service.ts'
import { keepFiles, languagesOf, newRevision, PAGES_TOPIC, toPage, toPageWithBlocks } from './stored-page.ts'

/** Used for titles without Latin letters or digits. */
const SLUG_FALLBACK = 'page'

export function createPage(ctx: Context, input: PageCreate, publicUrl: string): Promise<PageWithBlocks> {
  const { blocks: inputs = [], template, island, slug, ...sent } = input
  return ctx.write(async (tx) => {
    const defaultLanguage = sent.default_language ?? (await getProfile(tx, ctx.orgId)).default_language
    const started = template === undefined ? undefined : startFrom(template, defaultLanguage)
    const blocks = started?.blocks ?? (await toBlocks(tx, ctx.orgId, inputs, new Set()))
    const draft = {
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
      translations: sent.translations ?? started?.translations ?? {},
      proof_of_work: sent.proof_of_work ?? 'automatic',
      notify_user_ids: sent.notify_user_ids ?? [],
    }
    await requireMembers(tx, ctx.orgId, draft.notify_user_ids)
    const languages = languagesOf({ ...draft, blocks }, input.blocks === undefined ? 'translations' : 'blocks')
    return insertDraft(tx, ctx, { ...draft, languages }, blocks, slug, publicUrl)
  })
}

export function duplicatePage(ctx: Context, id: string, publicUrl: string): Promise<PageWithBlocks> {
  return ctx.write(async (tx) => {
    const { slug: _, id: __, public_slug: ___, ...row } = await requirePage(tx, ctx.orgId, id)
    const draft = { ...row, status: 'draft' as const }
    return insertDraft(tx, ctx, draft, toOwnBlocks(row.blocks as Block[]), undefined, publicUrl)
  })
}

/**
 * The blocks of a template, and its titles for visitors who do not speak the page's default language. A page in `de-AT` begins
 * with the German texts as its own, and one in a language that the template lacks shows the English ones until it has others.
 */
function startFrom(template: TemplateName, defaultLanguage: ContentLanguage) {
  const { blocks, title } = getTemplate(template)
  const own = interfaceLanguageFor(defaultLanguage)
  const titles = Object.entries(title).filter(([language]) => language !== own)
  const translations: Translations = Object.fromEntries(titles.map(([language, title]) => [language, { title }]))
  return { translations, blocks: toOwnBlocks(own === undefined ? blocks : relabel(blocks, own, defaultLanguage)) }
}

/** What a page has before it gets its addresses. */
type Draft = Omit<PageValues, 'id' | 'slug' | 'public_slug' | 'revision' | 'created_at' | 'updated_at'>

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
  const { og_image_url, default_language, languages, translations, proof_of_work, notify_user_ids } = draft
  const values: Omit<PageValues, 'slug'> = {
    id,
    public_slug: await drawPublicSlug((publicSlug) => insertAddress(tx, ctx.orgId, publicSlug, id)),
    ...{ status, title, description, background, island, favicon_url, meta_title, meta_description },
    ...{ og_image_url, default_language, languages, translations, proof_of_work, notify_user_ids },
    revision: newRevision(),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const slug = await insertWithSlug(sentSlug, slugify(values.title, SLUG_FALLBACK), {
    insert: (sent) => insertPage(tx, ctx.orgId, { ...values, slug: sent }),
    isTaken: (derived) => isSlugTaken(tx, ctx.orgId, derived),
    insertUnlessTaken: (derived) => insertUnlessSlugTaken(tx, ctx.orgId, { ...values, slug: derived }),
  })
  await insertParts(tx, ctx.orgId, id, blocks)
  await keepFiles(tx, ctx.orgId, id, { ...draft, blocks }, null, ctx.now)
  await announce(tx, PAGES_TOPIC, [values.public_slug])
  const row = { ...values, slug, view_count: 0 }
  await emit(tx, ctx.orgId, pageEvents, 'page.created', toPage(row, publicUrl), ctx.now)
  return toPageWithBlocks({ ...row, blocks }, publicUrl)
}
