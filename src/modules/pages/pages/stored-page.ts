import type { Timestamp } from '../../../platform/clock/index.ts'
import { type ContentLanguage, LANGUAGES, LANGUAGES_MAX } from '../../../platform/contract/languages.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import { type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import { setAssetReferences } from '../../assets/assets/index.ts'
import { type Block, textsIn } from '../blocks/index.ts'
import type { Background, Island, Page, PageWithBlocks, Translations } from './contract.ts'
import type { PageRow, PageRowWithBlocks } from './queries.ts'

/** Announced when visitors must see a change. The key is the public slug. */
export const PAGES_TOPIC = 'pages'

const REVISION_LENGTH = 10

export const newRevision = (): string => randomBase62(REVISION_LENGTH)

/**
 * The languages that a visitor can choose from: those of the interface in their usual order, then the others by their tags.
 * `field` is what was sent, and is refused if there are too many.
 */
export function languagesOf(
  { default_language, translations, blocks }: Pick<PageRowWithBlocks, 'default_language' | 'translations' | 'blocks'>,
  field: 'default_language' | 'translations' | 'blocks',
): ContentLanguage[] {
  const found = new Set<string>([default_language, ...Object.keys(translations)])
  for (const block of blocks as Block[]) {
    for (const { language } of textsIn(block.config)) if (language !== undefined) found.add(language)
  }
  if (found.size > LANGUAGES_MAX) {
    throw invalidPayload({
      [field]: [`A page can have at most ${LANGUAGES_MAX} languages. It would have ${found.size}`],
    })
  }
  const usual: readonly string[] = LANGUAGES
  return [
    ...usual.filter((language) => found.has(language)),
    ...[...found].filter((tag) => !usual.includes(tag)).sort(),
  ]
}

type PageMedia = Pick<PageRowWithBlocks, 'favicon_url' | 'og_image_url' | 'blocks'>

/** Keeps the stored files that the page shows. `before` is what it showed until now, if it was there. */
export const keepFiles = (
  tx: Tx,
  orgId: OrgId,
  id: string,
  shown: PageMedia | null,
  before: PageMedia | null,
  now: Timestamp,
) => setAssetReferences(tx, orgId, { kind: 'page', id }, textsOf(shown), now, { before: textsOf(before) })

function textsOf(shown: PageMedia | null): (string | null)[] {
  if (shown === null) return []
  const texts = (shown.blocks as Block[]).flatMap(({ config }) => [...textsIn(config)].map(({ text }) => text))
  return [shown.favicon_url, shown.og_image_url, ...texts]
}

/** Those from before there was a lock have none. */
export const toBackground = (stored: object): Background => ({ locked: false, ...stored }) as Background

export function toPage(row: PageRow, publicUrl: string): Page {
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
    background: toBackground(row.background),
    island: row.island as Island,
    favicon_url,
    meta_title,
    meta_description,
    og_image_url: row.og_image_url,
    default_language: row.default_language,
    languages: row.languages,
    proof_of_work: row.proof_of_work,
    notify_user_ids: row.notify_user_ids,
    view_count: Number(row.view_count),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export const toPageWithBlocks = (row: PageRowWithBlocks, publicUrl: string): PageWithBlocks => ({
  ...toPage(row, publicUrl),
  translations: row.translations as Translations,
  blocks: row.blocks as Block[],
})
