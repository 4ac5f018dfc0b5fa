import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { SERVICE } from '../../../platform/http/caching/compression.ts'
import { NO_BRAND } from '../../../platform/look/index.ts'
import { HTML_TYPE } from '../../../platform/pages/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { negotiate } from '../../../platform/text/negotiate-language.ts'
import { type Centre, parseAddress } from '../public-articles/index.ts'
import { type CentrePage, toCentrePage } from './centre-page.ts'
import type { CentreRequestServices, CentreVisit } from './centre-visit.ts'
import { findShownCentre } from './centres.ts'
import { languagesKey } from './page-address.ts'
import { type NoticeKind, renderNotice } from './pages/notices.ts'
import { policyOf } from './policy.ts'

type NoticeServices = Pick<CentreRequestServices, 'themes' | 'pages' | 'compression' | 'centres' | 'hosts'>
type NoticeVisit = Pick<CentreVisit, 'host' | 'publicSlug' | 'path' | 'acceptLanguage' | 'encoding'>

/** Renders a notice instead of a page: the help centre is unknown, deleted or cannot be loaded. */
export async function answerNotice(
  services: NoticeServices,
  visit: NoticeVisit,
  kind: NoticeKind,
  status: number,
): Promise<CentrePage> {
  const { themes, pages, compression } = services
  const { path, acceptLanguage, encoding } = visit
  const { language: pinned } = parseAddress(path)
  const ofPath = pinned === undefined ? undefined : interfaceLanguageFor(pinned)
  const language = ofPath ?? negotiate(acceptLanguage, LANGUAGES, 'en')
  const centre =
    kind === 'unavailable' || kind === 'notCounted' ? await findKnownCentre(services, visit, status) : undefined
  const owner = centre?.orgId ?? SERVICE
  const make = () => {
    const theme = themes.get(centre?.brand ?? NO_BRAND)
    const body = renderNotice(kind, language, theme, centre)
    const rendered = {
      status,
      page: kind,
      mediaType: HTML_TYPE,
      body,
      language,
      isNegotiated: true,
      policy: policyOf(theme),
    }
    return toCentrePage(compression, rendered, { encoding, owner, effort: 'often' })
  }
  const key = `${centre === undefined ? '' : languagesKey(centre)} ${kind} ${status} ${language} ${encoding}`
  return pages.fetch(owner, key, make, ({ mayBeKept }) => mayBeKept)
}

/** Finds the contact for a page that says what went wrong. That must not fail, nor wait for a database that is unavailable. */
async function findKnownCentre(
  services: NoticeServices,
  visit: NoticeVisit,
  status: number,
): Promise<Centre | undefined> {
  const known = services.centres.peek(visit.publicSlug)
  if (status === 503) return known && services.hosts.isKnownToShow(visit.host, known.orgId) ? known : undefined
  const found = await findShownCentre(services, visit).catch(() => undefined)
  return found === 'gone' ? undefined : found
}
