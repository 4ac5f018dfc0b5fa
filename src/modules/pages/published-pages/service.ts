import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Brand, toBrand } from '../../../platform/look/index.ts'
import type { Block } from '../blocks/index.ts'
import { type Background, type Island, type PageStatus, type Translations, toBackground } from '../pages/index.ts'
import { selectPublicPage, wasPublicSlugUsed } from './queries.ts'

/** A page as visitors need it. */
export interface PublicPage {
  id: string
  orgId: OrgId
  orgName: string
  orgLogoUrl: string | null
  brand: Brand
  publicSlug: string
  /** Changes with everything that visitors see. */
  revision: string
  status: PageStatus
  title: string
  background: Background
  island: Island
  faviconUrl: string | null
  metaTitle: string | null
  metaDescription: string | null
  ogImageUrl: string | null
  defaultLanguage: ContentLanguage
  languages: readonly ContentLanguage[]
  translations: Translations
  proofOfWork: 'automatic' | 'always' | 'never'
  notifyUserIds: readonly string[]
  blocks: readonly Block[]
}

/** Returns `gone` if the page was deleted, and undefined if there was never such a page. */
export async function findPublicPage(db: Db, publicSlug: string): Promise<PublicPage | 'gone' | undefined> {
  const row = await selectPublicPage(db, publicSlug)
  if (row === undefined) return (await wasPublicSlugUsed(db, publicSlug)) ? 'gone' : undefined
  return {
    id: row.id,
    orgId: row.org_id,
    orgName: row.org_name,
    orgLogoUrl: row.org_logo_url,
    brand: toBrand(row.brand),
    publicSlug: row.public_slug,
    revision: row.revision,
    status: row.status,
    title: row.title,
    background: toBackground(row.background),
    island: row.island as Island,
    faviconUrl: row.favicon_url,
    metaTitle: row.meta_title,
    metaDescription: row.meta_description,
    ogImageUrl: row.og_image_url,
    defaultLanguage: row.default_language,
    languages: row.languages,
    translations: row.translations as Translations,
    proofOfWork: row.proof_of_work,
    notifyUserIds: row.notify_user_ids,
    blocks: row.blocks as Block[],
  }
}
