import type { Db } from '../../../platform/db/index.ts'
import { domainUrl } from '../../../platform/http/server/public-url.ts'
import { findVerifiedDomains, type ShownDomain, type ShownRoute } from '../custom-domains/index.ts'
import { selectShownRoutes } from './queries.ts'

/** Returns what each of these domains shows. Unverified ones show nothing. */
export async function findShownDomains(
  db: Db,
  names: readonly string[],
  publicUrl: string,
): Promise<Map<string, ShownDomain>> {
  if (names.length === 0) return new Map()
  const domains = await findVerifiedDomains(db, names)
  if (domains.size === 0) return new Map()
  const verified = [...domains.values()]
  const rows = await selectShownRoutes(
    db,
    verified.map(({ orgId }) => orgId),
    verified.map(({ id }) => id),
  )
  const byDomain = Map.groupBy(rows, ({ domain_id }) => domain_id)
  const shown = new Map<string, ShownDomain>()
  for (const [name, { id, orgId, fallbackUrl }] of domains) {
    const routes = new Map<string, ShownRoute>()
    let defaultRoute: ShownRoute | undefined
    for (const { slug, type, target_id: targetId, public_slug: publicSlug, is_default } of byDomain.get(id) ?? []) {
      const route = { slug, type: type as ShownRoute['type'], targetId, publicSlug }
      routes.set(slug, route)
      if (is_default) defaultRoute = route
    }
    // `href` has only ASCII characters, as a header needs.
    const fallback = fallbackUrl === null ? null : new URL(fallbackUrl).href
    shown.set(name, { orgId, name, url: domainUrl(publicUrl, name), fallbackUrl: fallback, routes, defaultRoute })
  }
  return shown
}
