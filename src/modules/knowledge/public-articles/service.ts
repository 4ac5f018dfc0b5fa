import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Brand, toBrand } from '../../../platform/look/index.ts'
import type { NameTranslations } from '../knowledge-bases/index.ts'
import {
  selectCentre,
  selectFirstPublished,
  selectIndexedLanguages,
  selectLatestLanguages,
  wasPublicSlugUsed,
} from './queries.ts'

/** A published knowledge base as visitors see it. */
export interface Centre {
  orgId: OrgId
  organisationName: string
  id: string
  publicSlug: string
  name: string
  description: string | null
  /** Its own, or that of the organisation. */
  logoUrl: string | null
  /** That of the organisation, with what the knowledge base has of its own. */
  brand: Brand
  contactEmail: string | null
  contactPhone: string | null
  language: ContentLanguage
  translations: NameTranslations
  /** Different after every change of something that a page shows. */
  revision: string
}

/** Saves a look-up for text that cannot be a public slug. */
const PUBLIC_SLUG = /^[0-9A-Za-z]{1,64}$/

/** Returns `gone` if the knowledge base was deleted, and undefined if it does not exist or is not published. */
export async function findCentre(db: Db, publicSlug: string): Promise<Centre | 'gone' | undefined> {
  if (!PUBLIC_SLUG.test(publicSlug)) return undefined
  const rows = await selectCentre(db, publicSlug)
  const [row] = rows
  if (row === undefined) return (await wasPublicSlugUsed(db, publicSlug)) ? 'gone' : undefined
  if (!row.is_published) return undefined
  return {
    orgId: row.org_id,
    organisationName: row.org_name,
    id: row.id,
    publicSlug: row.public_slug,
    name: row.name,
    description: row.description,
    logoUrl: row.logo_url ?? row.org_logo_url,
    brand: toBrand(row.brand, row),
    contactEmail: row.contact_email,
    contactPhone: row.contact_phone,
    language: row.default_language,
    translations: row.translations as NameTranslations,
    revision: rows
      .map(({ revision }) => revision)
      .sort()
      .join(''),
  }
}

/** The oldest help centre of an organisation, for visitors who have not found another one. */
export async function findMainCentre(
  db: Db,
  orgId: OrgId,
): Promise<Pick<Centre, 'publicSlug' | 'contactEmail' | 'contactPhone'> | undefined> {
  const row = await selectFirstPublished(db, orgId)
  return row && { publicSlug: row.public_slug, contactEmail: row.contact_email, contactPhone: row.contact_phone }
}

/**
 * Returns the languages of the knowledge base, its name and its articles: its own first, the others by their tags. `indexed`
 * are the languages that the organisation has texts in.
 */
export async function listLanguages(
  db: Db,
  { orgId, id, language: own, translations }: Centre,
  indexed: readonly string[],
): Promise<ContentLanguage[]> {
  const found = new Set([...Object.keys(translations), ...(await selectLatestLanguages(db, orgId, id))])
  const others = indexed.filter((language) => !found.has(language))
  for (const language of await selectIndexedLanguages(db, orgId, id, others)) found.add(language)
  found.delete(own)
  return [own, ...[...found].sort()]
}
