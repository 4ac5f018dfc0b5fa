import { ByteCache } from '../bounded/byte-cache.ts'
import { LANGUAGES, type Language } from '../contract/languages.ts'
import type { Compression } from '../http/caching/compression.ts'
import { chooseEncoding } from '../http/caching/encoding.ts'
import { FixedBody } from '../http/caching/fixed-body.ts'
import { pagePolicy } from '../http/server/security-headers.ts'
import { languageSwitch, linkToSwitch, NO_BRAND, styleTag } from '../look/index.ts'
import { pageLanguage } from '../text/direction.ts'
import { type Html, html } from '../text/html.ts'
import { negotiate } from '../text/negotiate-language.ts'
import { illustrate, type Scene } from './illustrations.ts'
import { type NoticeSender, senderBlock, senderLinks } from './sender.ts'
import { THEMES } from './style.ts'
import { LABELS } from './texts.ts'

export interface NoticeText {
  title: string
  text: string
  /** A sentence for the owner of what the visitor looks for. */
  owner?: string
  /** The label of a link to the same page, which then also reloads by itself. */
  retry?: string
  /** The label of a field for a number, which is sent to the same address as `NUMBER_FIELD`. */
  number?: string
  /** The label of the button that sends it. */
  open?: string
}

export const NUMBER_FIELD = 'gtin'

const SOURCES = ["style-src 'unsafe-inline'", "img-src https: data: 'self'"]

/** Its style sheet is part of the page, and so is its empty icon. Logos are on any host. */
export const NOTICE_POLICY = pagePolicy(SOURCES)
/** The number leads to where its code leads, and browsers apply the policy to each redirect on the way. */
const FIELD_POLICY = pagePolicy(SOURCES, 'http: https:')

const NOTICE_HEADERS = [
  'content-type',
  'text/html; charset=utf-8',
  'referrer-policy',
  'no-referrer',
  'vary',
  'accept-language, accept-encoding',
]

const LINKS = LANGUAGES.map((language) => ({ language, href: `#${language}` }))

/**
 * Renders a page that only says something, under a picture. It runs no scripts and loads nothing but the logo of the sender.
 *
 * It has the text in all languages and shows one of them. Links to the others change only the fragment of the address: to ask
 * the server again would count as another scan.
 */
export function renderNotice(
  scene: Scene,
  language: Language,
  textIn: (language: Language) => NoticeText,
  sender?: NoticeSender,
): string {
  const { title, retry } = textIn(language)
  const others = LANGUAGES.filter((other) => other !== language)
  return html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${retry && html`<meta http-equiv="refresh" content="5">`}
<link rel="icon" href="data:,">
${styleTag(THEMES.get(sender?.brand ?? NO_BRAND).css)}
</head>
<body>
<main>
${sender && senderBlock(sender)}
${illustrate(scene)}
${section(language, textIn(language), sender, 'own')}
${others.map((other) => section(other, textIn(other), sender))}
</main>
</body>
</html>
`.toString()
}

/**
 * The style shows the section that the fragment of the address names, otherwise the one of class `own`. Only that one has the list
 * of all languages: sixteen lists would be most of the page.
 */
const section = (
  language: Language,
  { title, text, owner, retry, number, open }: NoticeText,
  sender: NoticeSender | undefined,
  name = '',
): Html =>
  html`<section id="${language}" ${pageLanguage(language)}${name && html` class="${name}"`}>
${name === '' ? linkToSwitch(LABELS[language].languages, language) : languageSwitch(LABELS[language].languages, language, LINKS)}
<h1>${title}</h1>
<p>${text}</p>
${owner && html`<p>${owner}</p>${sender?.setUpUrl && html`<a class="button outlined" href="${sender.setUpUrl}">${LABELS[language].setUp}</a>`}`}
${retry && html`<a class="button" href="">${retry}</a>`}
${number && html`<form action=""><label>${number}<input name="${NUMBER_FIELD}" inputmode="numeric" required></label><button class="button">${open}</button></form>`}
${sender && senderLinks(sender, LABELS[language])}
</section>
`

interface NoticePage {
  status: number
  language: Language
  policy: string
  body: FixedBody
}

const RETRY_SECONDS = '5'

/** A notice as it is sent outside the framework. It is compressed for later visitors: the first one does not wait for it. */
export function toSentNotice(
  { status, language, policy, body }: NoticePage,
  acceptEncoding: string | string[] | undefined,
  compression: Compression,
): { status: number; headers: string[]; body: Buffer } {
  const { encoding, bytes } = body.peek(chooseEncoding(acceptEncoding), compression)
  const headers = [...NOTICE_HEADERS, 'content-language', language, 'content-security-policy', policy]
  headers.push('content-length', String(bytes.length))
  if (encoding !== 'identity') headers.push('content-encoding', encoding)
  if (status === 503) headers.push('retry-after', RETRY_SECONDS)
  return { status, headers, body: bytes }
}

/** A poster with a paused code is scanned often. */
const SENT_BYTES_MAX = 4 * 1024 * 1024

/**
 * Notices of several kinds, rendered on first use. Those without a sender are cached without a limit: there is one per kind and
 * language.
 */
export class NoticePages<Kind extends string> {
  readonly #kinds: Record<Kind, { status: number; scene: Scene }>
  readonly #texts: (language: Language) => Record<Kind, NoticeText>
  readonly #pages = new Map<string, NoticePage>()
  /** Those with a sender, by all that they say. */
  readonly #sent = new ByteCache<NoticePage>(SENT_BYTES_MAX, ({ body }) => 2 * body.plain.bytes.length)

  constructor(
    kinds: Record<Kind, { status: number; scene: Scene }>,
    texts: (language: Language) => Record<Kind, NoticeText>,
  ) {
    this.#kinds = kinds
    this.#texts = texts
  }

  get(kind: Kind, acceptLanguage: string | undefined, sender?: NoticeSender): NoticePage {
    const language = negotiate(acceptLanguage, LANGUAGES, 'en')
    const pages = sender === undefined ? this.#pages : this.#sent
    const key = `${kind} ${language} ${sender === undefined ? '' : JSON.stringify(sender)}`
    const cached = pages.get(key)
    if (cached !== undefined) return cached
    const { status, scene } = this.#kinds[kind]
    const textIn = (shown: Language) => this.#texts(shown)[kind]
    const body = new FixedBody(Buffer.from(renderNotice(scene, language, textIn, sender)))
    const policy = textIn(language).number === undefined ? NOTICE_POLICY : FIELD_POLICY
    const page = { status, language, policy, body }
    pages.set(key, page)
    return page
  }
}
