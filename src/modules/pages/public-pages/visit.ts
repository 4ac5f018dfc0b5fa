import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { LoopTurns, SharedCache } from '../../../platform/bounded/index.ts'
import { type ContentLanguage, canonicalTag, LANGUAGES } from '../../../platform/contract/languages.ts'
import type { Compression } from '../../../platform/http/caching/compression.ts'
import { chooseEncoding, type Encoding } from '../../../platform/http/caching/encoding.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { ShownThing } from '../../../platform/look/index.ts'
import { HTML_TYPE, type RenderedPage, type StoredPage, toStoredPage } from '../../../platform/pages/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { nearestOf, negotiate } from '../../../platform/text/negotiate-language.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
import type { PublicAddresses } from '../../domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { factsOfQuery, type PageFacts } from './page-facts.ts'
import type { PageStore } from './page-store.ts'
import type { Facts } from './rendering/placeholders.ts'
import { dependsOnTarget, renderPage, renderSent } from './rendering/render-page.ts'
import type { RenderedTexts } from './rendering/rendered-texts.ts'
import { View } from './rendering/view.ts'
import type { PageRequestServices, PageView } from './request-services.ts'
import { signScanContext } from './scan-context.ts'
import type { VisitCookie } from './visit-cookie.ts'

/** What all visits share. */
export interface PageSources {
  keyring: Keyring
  cookie: VisitCookie
  turns: LoopTurns
  addresses: PublicAddresses
  compression: Compression
  store: PageStore
  hosts: PublicHosts
  facts: PageFacts
  texts: RenderedTexts
  bodies: SharedCache<StoredPage>
}

/** What a page depends on, besides itself. */
export interface PageVariant {
  kind: 'page' | 'sent'
  scanned: ScannedThing | null
  /** The parameters of the visitor's address. */
  query: Readonly<Record<string, string>>
  headers: IncomingMessage['headers']
  receipt?: PageView['receipt']
}

export const createRequestServices = (sources: PageSources): PageRequestServices => ({
  keyring: sources.keyring,
  cookie: sources.cookie,
  findPage: (publicSlug, request) => findPage(sources, publicSlug, request),
  findFacts: async (page, scanned) => (await sources.facts.find(page, scanned)).facts,
  waitForTurn: ({ orgId }) => sources.turns.wait(orgId),
  chooseLanguages,
  renderPage: (page, shown) => renderInTurn(sources, page, shown, 'page'),
  renderSent: (page, shown) => renderInTurn(sources, page, shown, 'sent'),
})

export async function findPage(
  { store, hosts }: Pick<PageSources, 'store' | 'hosts'>,
  publicSlug: string,
  request: IncomingMessage,
): Promise<PublicPage | 'gone' | undefined> {
  const found = await store.find(publicSlug)
  const page = found && (await hosts.showing(hostOf(request), found))
  if (typeof page === 'object') request.loggedAs = { orgId: page.orgId }
  return page
}

const chooseLanguages: PageRequestServices['chooseLanguages'] = (page, wanted, acceptLanguage) => {
  const { languages, defaultLanguage } = page
  const language = requestedLanguage(page, wanted) ?? negotiate(acceptLanguage, languages, defaultLanguage)
  const ofPage = interfaceLanguageFor(language)
  const interfaceLanguage =
    ofPage ?? negotiate(acceptLanguage, LANGUAGES, interfaceLanguageFor(defaultLanguage) ?? 'en')
  return { language, interfaceLanguage }
}

/** The language that an address names, or the nearest one of the page: each of its languages is another page to cache. */
export function requestedLanguage({ languages }: PublicPage, wanted: string | undefined): ContentLanguage | undefined {
  const tag = wanted === undefined ? undefined : canonicalTag(wanted)
  return tag === undefined ? undefined : nearestOf(tag, languages)
}

async function renderInTurn(
  sources: PageSources,
  page: PublicPage,
  shown: PageView,
  kind: PageVariant['kind'],
): Promise<RenderedPage> {
  await sources.turns.wait(page.orgId)
  const { thing } = await sources.facts.find(page, shown.scanned)
  return render(sources, page, shown, thing, kind, await findUrl(sources, page))
}

const findUrl = ({ addresses }: PageSources, page: PublicPage): Promise<string> =>
  addresses.findCanonical(page, `/p/${page.publicSlug}`)

/** `url` is the address for search engines. */
async function render(
  { store, texts, keyring }: PageSources,
  page: PublicPage,
  shown: PageView,
  thing: ShownThing | null,
  kind: PageVariant['kind'],
  url: string,
): Promise<RenderedPage> {
  const { scanned } = shown
  const about = (pageId: string) => (scanned === null ? null : signScanContext(keyring, pageId, scanned))
  const prose = kind === 'page' ? await texts.get(page, shown.language) : new Map<string, string>()
  const view = new View({ page, links: store.linksOf(page) }, shown, prose, about, thing)
  return kind === 'page' ? renderPage(view, url) : renderSent(view, shown.receipt)
}

/**
 * The page as it is sent. All visitors who would see the same get the same bytes, which are cached. A page with values of
 * the visitor's own address in it, or with a receipt, is made for each of them.
 */
export async function findBody(sources: PageSources, page: PublicPage, asked: PageVariant): Promise<StoredPage> {
  const { kind, scanned, query, headers, receipt } = asked
  const languages = chooseLanguages(page, query.lang, headers['accept-language'])
  const encoding = chooseEncoding(headers['accept-encoding'])
  const { facts, thing } = await sources.facts.find(page, scanned)
  const fromQuery = factsOfQuery(page, query)
  const isOwn = fromQuery.size > 0 || receipt !== undefined
  const shown: PageView = {
    ...languages,
    scanned,
    facts: isOwn ? new Map([...facts, ...fromQuery]) : facts,
    form: null,
    receipt,
  }
  const url = await findUrl(sources, page)
  const make = async () => {
    await sources.turns.wait(page.orgId)
    const rendered = await render(sources, page, shown, thing, kind, url)
    const { language } = languages
    return toStoredPage(
      sources.compression,
      { ...rendered, status: 200, mediaType: HTML_TYPE, language, isNegotiated: true },
      { encoding, owner: page.orgId, effort: isOwn ? 'once' : 'often' },
    )
  }
  sources.turns.note(page.orgId)
  if (isOwn) return make()
  return sources.bodies.fetch(
    page.orgId,
    keyOf(page, kind, shown, thing, encoding, url),
    make,
    ({ mayBeKept }) => mayBeKept,
  )
}

/** Everything that a body depends on. The organisation may change without a new revision of the page. */
function keyOf(
  page: PublicPage,
  kind: PageVariant['kind'],
  { language, interfaceLanguage, scanned, facts }: PageView,
  thing: ShownThing | null,
  encoding: Encoding,
  url: string,
): string {
  const target = scanned !== null && dependsOnTarget(page) ? `${scanned.kind} ${scanned.id}` : ''
  const languages = `${language} ${interfaceLanguage}`
  const about = `${target} ${hashOf(facts)} ${JSON.stringify(thing)}`
  const organisation = JSON.stringify([page.orgName, page.orgLogoUrl, page.brand])
  return `${page.id} ${page.revision} ${kind} ${languages} ${encoding} ${about} ${url} ${organisation}`
}

const hashOf = (facts: Facts): string =>
  facts.size === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify([...facts]))
        .digest('base64')
