import { getOrganisationBySlug, listOrganisations, type Organisation } from '../modules/account/organisations/index.ts'
import type { Db } from '../platform/db/index.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'

/** The organisation that a command is about: the one that it names, or the only one. */
export async function findOrganisation(db: Db, slug: string | undefined): Promise<Organisation> {
  if (slug !== undefined) return getOrganisationBySlug(db, slug)
  const [only, ...others] = await listOrganisations(db)
  if (only === undefined)
    throw new OperatorError('There are no organisations yet. Create one with `npx waymark org create`.')
  if (others.length > 0) throw new OperatorError('There are several organisations. Choose one with --org <slug>.')
  return only
}
