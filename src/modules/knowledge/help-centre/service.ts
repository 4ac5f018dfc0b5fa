import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { LANGUAGES, type Language } from '../languages/index.ts'
import { selectCentre, selectLanguages, wasGivenOut } from './queries.ts'

/** A knowledge base as visitors know it. */
export interface Centre {
  orgId: OrgId
  id: string
  publicSlug: string
  name: string
  description: string | null
  logoUrl: string | null
  primaryColor: string | null
  language: Language
}

/** Letters and digits: anything else cannot be an address, and need not be looked up. */
const PUBLIC_SLUG = /^[0-9A-Za-z]{1,64}$/

/** `gone` for one that was there once and is deleted. One that is not published is as good as none. */
export async function findCentre(db: Db, publicSlug: string): Promise<Centre | 'gone' | undefined> {
  if (!PUBLIC_SLUG.test(publicSlug)) return undefined
  const row = await selectCentre(db, publicSlug)
  if (row === undefined) return (await wasGivenOut(db, publicSlug)) ? 'gone' : undefined
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
  }
}

/** The languages that it can be read in, its own first. */
export async function listLanguages(db: Db, { orgId, id, language: own }: Centre): Promise<Language[]> {
  const found = await selectLanguages(db, orgId, id)
  return [own, ...LANGUAGES.filter((language) => language !== own && found.includes(language))]
}
