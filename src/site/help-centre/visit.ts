import { findCentre, listLanguages } from '../../modules/knowledge/help-centre/index.ts'
import { LANGUAGES, type Language } from '../../modules/knowledge/languages/index.ts'
import type { LoopTurns } from '../../platform/bounded/index.ts'
import { negotiate } from '../../platform/text/negotiate-language.ts'
import { type ChooseLanguage, findPage, type PageSources } from './find-page.ts'
import { createPageContext } from './page-context.ts'
import { renderPage } from './pages/layout.ts'
import { missingView, type NoticeKind, renderNotice } from './pages/notices.ts'
import { parseQuery } from './query.ts'
import { parseAddress, type Route } from './route.ts'
import type { Themes } from './theme.ts'

/** The dependencies shared by all visits. */
export interface Site extends PageSources {
  turns: LoopTurns
  publicUrl: string
  themes: Themes
}

export interface Visit {
  publicSlug: string
  /** Relative to the address of the knowledge base. */
  path: string
  query: Record<string, unknown>
  acceptLanguage: string | undefined
}

export interface Answer {
  status: number
  /** For logs and metrics. */
  page: Route['page'] | NoticeKind
  mediaType: string
  body: string
  language: Language
  /** Whether the language may depend on `Accept-Language`. */
  isNegotiated: boolean
  policy: string
}

const HTML = 'text/html; charset=utf-8'

export async function answerVisit(site: Site, visit: Visit): Promise<Answer> {
  const { read } = site.database
  const centre = await findCentre(read, visit.publicSlug)
  if (centre === undefined) return answerNotice(site, visit, 'unknown', 404)
  if (centre === 'gone') return answerNotice(site, visit, 'gone', 410)
  await site.turns.wait(centre.orgId)
  const { language: pinned, route } = parseAddress(visit.path)
  // `findArticle` loads the languages of an article, so skip the query when the address already names the language.
  const languages = pinned !== undefined && route.page === 'article' ? [pinned] : await listLanguages(read, centre)
  const language = pinned ?? negotiate(visit.acceptLanguage, languages, centre.language)
  const context = createPageContext(centre, site.publicUrl, languages, language, pinned !== undefined)
  const theme = site.themes.get(centre.primaryColor)
  // Negotiated again per article: it may lack the interface language but have another that the reader accepts.
  const chooseLanguage: ChooseLanguage = (available, original) =>
    pinned ?? negotiate(visit.acceptLanguage, available, original)
  const found = await findPage(site, context, route, parseQuery(visit.query), chooseLanguage)
  const common = { language, isNegotiated: pinned === undefined, policy: theme.policy }
  if (found === undefined) {
    const body = renderPage(context, theme, missingView(context))
    return { ...common, status: 404, page: 'missing', mediaType: HTML, body }
  }
  if ('view' in found) {
    return { ...common, status: 200, page: route.page, mediaType: HTML, body: renderPage(context, theme, found.view) }
  }
  return { ...common, status: 200, page: route.page, ...found }
}

/** Renders a notice outside any help centre: it is unknown, deleted or cannot be loaded. */
export function answerNotice(
  { themes }: Pick<Site, 'themes'>,
  { path, acceptLanguage }: Visit,
  kind: NoticeKind,
  status: number,
): Answer {
  const { language: pinned } = parseAddress(path)
  const language = pinned ?? negotiate(acceptLanguage, LANGUAGES, 'en')
  const theme = themes.get(null)
  const body = renderNotice(kind, language, theme)
  return { status, page: kind, mediaType: HTML, body, language, isNegotiated: true, policy: theme.policy }
}
