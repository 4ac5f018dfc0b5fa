import { LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectCentre, selectLanguages, wasPublicSlugUsed } from './queries.ts'

/** A published knowledge base as visitors see it. */
export interface Centre {
  orgId: OrgId
  id: string
  publicSlug: string
  name: string
  description: string | null
  logoUrl: string | null
  primaryColor: string | null
  language: Language
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
    orgId: row.org_id as OrgId,
    id: row.id,
    publicSlug: row.public_slug,
    name: row.name,
    description: row.description,
    logoUrl: row.logo_url,
    primaryColor: row.primary_color,
    language: row.default_language as Language,
    revision: rows
      .map(({ revision }) => revision)
      .sort()
      .join(''),
  }
}

/** Returns the languages of the knowledge base, its own first. */
export async function listLanguages(db: Db, { orgId, id, language: own }: Centre): Promise<Language[]> {
  const found = await selectLanguages(db, orgId, id)
  return [own, ...LANGUAGES.filter((language) => language !== own && found.includes(language))]
}
