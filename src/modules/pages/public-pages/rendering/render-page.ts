import { createHash } from 'node:crypto'
import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { pagePolicy } from '../../../../platform/http/server/security-headers.ts'
import {
  LANGUAGES_STYLE,
  languageSwitch,
  logoImage,
  SCANNED_STYLE,
  scannedChip,
  styleTag,
} from '../../../../platform/look/index.ts'
import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { type Block, isFormField, type Text } from '../../blocks/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { RECEIPT_TEXTS } from '../../submissions/index.ts'
import { contentBlock } from '../blocks/content.ts'
import { form, formBlock, hasForm } from '../blocks/form.ts'
import { ABOUT_FIELD, RECEIPT_FIELD } from '../form-state.ts'
import type { ReceiptLink } from '../receipt/sent-receipt.ts'
import { SCRIPT_URL } from '../script/index.ts'
import { icon } from './icons.ts'
import { SENT_STYLE, styleFor } from './style.ts'
import { describeTheme } from './theme.ts'
import type { View } from './view.ts'

/** `url` is the address for search engines. */
export function renderPage(view: View, url: string): RenderedPage {
  const { page } = view
  const about = view.about(page.id)
  const { blocks } = page
  const withForm = hasForm(blocks)
  const isInForm = ({ type }: Block) => withForm && type.startsWith('form_')
  const first = blocks.findIndex(isInForm)
  const last = blocks.findLastIndex(isInForm)
  const inner = (block: Block): Html | false => {
    const drawn = block.type.startsWith('form_') ? formBlock(view, block) : contentBlock(view, block)
    return drawn && (block.type === 'form_hidden' ? drawn : html`<div class="${view.spacing(block)}">${drawn}</div>\n`)
  }
  const main = withForm
    ? html`${blocks.slice(0, first).map(inner)}${form(view, blocks.slice(first, last + 1), inner, about)}${blocks.slice(last + 1).map(inner)}`
    : blocks.filter(({ type }) => !type.startsWith('form_')).map(inner)
  const title = titleOf(page)
  const hasTitle = blocks.some((block) => block.type === 'heading' && block.config.level === 1)
  return toDocument(view, {
    title: view.text(title),
    head: metaTags(view, url),
    main: html`${!hasTitle && html`<h1 class="hidden"${view.attributes(title)}>${view.text(title)}</h1>`}${main}`,
    header: header(view, '', about),
    hasScript: withForm,
    style: styleFor(new Set(blocks.map(({ type }) => type))),
  })
}

/** What a visitor sees after sending the form. With a receipt, the address of the page is as private as that of the receipt. */
export function renderSent(view: View, receipt: ReceiptLink | undefined): RenderedPage {
  const { page, texts } = view
  const about = view.about(page.id)
  const submit = page.blocks.find((block) => block.type === 'form_submit')?.config
  const title = orOurs(view, submit?.success_title ?? null, texts.sent.title)
  const text = orOurs(view, submit?.success_text ?? null, texts.sent.text)
  const next = view.url(submit?.success_url ?? null)
  const back = `/p/${page.publicSlug}?lang=${view.language}${about === null ? '' : `&${ABOUT_FIELD}=${about}`}`
  return toDocument(view, {
    title: title.text,
    head: html`<meta name="robots" content="noindex">${receipt && html`\n<meta name="referrer" content="no-referrer">`}`,
    main: html`<div class="sent">${icon('success')}
<h1${title.attributes}>${title.text}</h1>
<p${text.attributes}>${text.text}</p>
${receipt && receiptLink(view, receipt)}${next && html`<a class="btn" href="${next}" rel="noopener"${view.ours}>${texts.sent.continue}</a>`}<a class="btn secondary" href="${back}"${view.ours}>${texts.sent.back}</a></div>`,
    header: header(view, '/sent', about, receipt),
    hasScript: false,
    style: SENT_STYLE,
  })
}

function receiptLink({ interfaceLanguage, ours }: View, { title, url }: ReceiptLink): Html {
  const { follow, keepLink } = RECEIPT_TEXTS[interfaceLanguage]
  return html`<div class="receipt-link"${ours}><strong dir="auto">${title}</strong><br><a href="${url}">${follow}</a><p>${keepLink}</p></div>
`
}

/** A text of the page, or our own words if it is empty. */
function orOurs(view: View, text: Text | null, words: string): { text: string; attributes: Html } {
  const own = view.note(text)
  if (own !== '') return { text: own, attributes: view.attributes(text) }
  return { text: words, attributes: view.ours || html` dir="auto"` }
}

interface Parts {
  title: string
  head: Html
  main: Html
  header: Html
  hasScript: boolean
  style: string
}

function toDocument(view: View, { title, head, header, main, hasScript, style }: Parts): RenderedPage {
  const { page, language } = view
  const parts = [page.languages.length > 1 && LANGUAGES_STYLE, view.thing !== null && SCANNED_STYLE].filter(Boolean)
  const css = style + parts.join('') + describeTheme(page, view.colors) + classes(view)
  const icon = view.url(page.faviconUrl) ?? page.orgLogoUrl ?? 'data:,'
  const document = html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<link rel="icon" href="${icon}">
${styleTag(css)}
${hasScript && html`<script src="${SCRIPT_URL}" defer></script>`}
</head>
<body>
<div class="island">
${header}
<main>
${main}
</main>
</div>
</body>
</html>
`
  return { body: document.toString(), policy: policyOf(view, css, hasScript) }
}

const classes = ({ colors, spacings }: View): string =>
  [
    ...spacings.map((sides, n) => `.s${n}{padding:${sides}}`),
    ...colors.map((_, n) => `.c${n}{color:var(--c${n})}hr.c${n}{border-color:var(--c${n})}`),
  ].join('')

const policyOf = (view: View, css: string, hasScript: boolean): string =>
  pagePolicy(
    [
      `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
      `img-src https: data: 'self'${hasScript ? ' blob:' : ''}`,
      `media-src https: 'self'${hasScript ? ' blob:' : ''}`,
      ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    ],
    formsLeadTo(view),
  )

/** Browsers also check where the answer to a form redirects to. */
function formsLeadTo(view: View): string {
  const submit = view.page.blocks.find((block) => block.type === 'form_submit')
  const url = view.url(submit?.config.success_url ?? null)
  return url !== undefined && URL.canParse(url) ? `'self' ${new URL(url).origin}` : "'self'"
}

type Translation = PublicPage['translations'][string]

/** A text of the page itself, by language. */
const ofPage = (
  { defaultLanguage, translations }: PublicPage,
  own: string,
  of: (one: Translation) => string | undefined,
) => {
  const translated = Object.entries(translations).map(([language, one]) => [language, of(one)] as const)
  return Object.fromEntries([[defaultLanguage, own], ...translated.filter(([, text]) => text !== undefined)]) as Text
}

const titleOf = (page: PublicPage): Text =>
  ofPage(page, page.metaTitle ?? page.title, ({ meta_title, title }) => meta_title ?? title)

function metaTags(view: View, url: string): Html {
  const { page, language } = view
  const description = view.text(ofPage(page, page.metaDescription ?? '', ({ meta_description }) => meta_description))
  const image = view.url(page.ogImageUrl)
  const isDefault = language === page.defaultLanguage
  return html`${
    description !== '' &&
    html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
`
  }<meta property="og:title" content="${view.text(titleOf(page))}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${page.orgName}">
<meta property="og:url" content="${url}">
${image && html`<meta property="og:image" content="${image}">\n`}<link rel="canonical" href="${url}${!isDefault && html`?lang=${language}`}">${
    page.languages.length > 1 &&
    html`${page.languages.map((other) => html`\n<link rel="alternate" hreflang="${other}" href="${languageUrl(page, url, other)}">`)}
<link rel="alternate" hreflang="x-default" href="${url}">`
  }`
}

const languageUrl = (page: PublicPage, url: string, language: ContentLanguage): string =>
  language === page.defaultLanguage ? url : `${url}?lang=${language}`

/** Who is behind the page, its other languages, and what was scanned, which links keep. */
function header(
  { page, language, interfaceLanguage, texts, thing }: View,
  path: string,
  about: string | null,
  receipt?: ReceiptLink,
): Html {
  const ofReceipt = receipt === undefined ? '' : `&${RECEIPT_FIELD}=${receipt.token}`
  const more = (about === null ? '' : `&${ABOUT_FIELD}=${about}`) + ofReceipt
  const links = page.languages.map((other) => ({
    language: other,
    href: `/p/${page.publicSlug}${path}?lang=${other}${more}`,
  }))
  const attributes = html` lang="${interfaceLanguage}"`
  return html`<header><p class="who">${logoImage(page.orgLogoUrl)}<b dir="auto">${page.orgName}</b></p>${languageSwitch(
    texts.language,
    language,
    links,
    attributes,
  )}${thing && scannedChip(thing)}</header>`
}

/** Whether what visitors see depends on what they scanned. */
export const dependsOnTarget = (page: PublicPage): boolean =>
  page.languages.length > 1 ||
  page.blocks.some(
    (block) => isFormField(block.type) || (block.type === 'button' && block.config.destination?.page != null),
  )
