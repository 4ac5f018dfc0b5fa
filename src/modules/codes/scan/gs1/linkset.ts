import { findDefault, isSameScope, type LinkScope, type OfferedLink, variantsOf } from './offered-links.ts'

/** The namespace of GS1's link types. */
export const VOCABULARY = 'https://ref.gs1.org/voc/'

interface TargetObject {
  href: string
  title: string
  type?: string
  hreflang?: string[]
}

type ContextObject = { anchor: string } & Record<string, string | TargetObject[]>

/**
 * All links as RFC 9264 writes them, in the form that the GS1 resolver standard prescribes: one context object for each scope
 * that has links, with the default link first in its plain form, then by type. `links` are the most specific first.
 */
export function toLinkset(
  links: readonly OfferedLink[],
  anchorOf: (scope: LinkScope) => string,
  hrefOf: (link: OfferedLink) => string,
): { linkset: ContextObject[] } {
  const toTarget = (link: OfferedLink): TargetObject => {
    const hreflang = link.language === null ? undefined : toHreflang(link.language)
    return {
      href: hrefOf(link),
      title: link.title,
      ...(link.mediaType !== null && { type: link.mediaType }),
      ...(hreflang !== undefined && { hreflang: [hreflang] }),
    }
  }
  const overall = findDefault(links)
  const linkset: ContextObject[] = []
  for (const [at, scope] of links.entries()) {
    if (links.findIndex((link) => isSameScope(link, scope)) !== at) continue
    const inScope = links.filter((link) => isSameScope(link, scope))
    const context: ContextObject = { anchor: anchorOf(scope) }
    const isDefault = (link: OfferedLink) => link.isDefault || link === overall
    const standard = inScope.find(isDefault)
    if (standard !== undefined) {
      context[`${VOCABULARY}defaultLink`] = [{ href: hrefOf(standard), title: standard.title }]
      const variants = variantsOf(inScope, standard)
      if (variants.length > 1) context[`${VOCABULARY}defaultLinkMulti`] = variants.map(toTarget)
    }
    for (const type of new Set(inScope.map(({ linkType }) => linkType))) {
      const ofType = inScope.filter(({ linkType }) => linkType === type)
      context[type.replace('gs1:', VOCABULARY)] = ofType.map(toTarget)
    }
    linkset.push(context)
  }
  return { linkset }
}

/** The schema knows languages of two letters, with or without a country. */
function toHreflang(tag: string): string | undefined {
  const { language, region } = new Intl.Locale(tag)
  if (language.length !== 2) return undefined
  return region?.length === 2 ? `${language}-${region}` : language
}
