import { createHash } from 'node:crypto'
import { canonicalTag, LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { pagePolicy } from '../../../../platform/http/server/security-headers.ts'
import { logoImage, SCANNED_STYLE, type ShownThing, scannedChip, styleTag } from '../../../../platform/look/index.ts'
import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { formatTime } from '../../../../platform/text/format-time.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { negotiate } from '../../../../platform/text/negotiate-language.ts'
import { DEFAULT_BACKGROUND, DEFAULT_ISLAND } from '../../pages/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { RECEIPT_TEXTS, type Receipt, type ReceiptTexts, receiptTitle } from '../../submissions/index.ts'
import { type IconName, icon } from '../rendering/icons.ts'
import { RECEIPT_STYLE } from '../rendering/style.ts'
import { describeTheme } from '../rendering/theme.ts'
import type { Help } from './help.ts'

/** The one that the address names, that of the form, or that of the browser. */
export function chooseLanguage(
  { language }: Pick<Receipt, 'language'>,
  wanted: string | null,
  acceptLanguage: string | undefined,
): Language {
  const tag = canonicalTag(wanted ?? '') ?? language
  return (tag ? interfaceLanguageFor(tag) : undefined) ?? negotiate(acceptLanguage, LANGUAGES, 'en')
}

const ICONS: Record<Receipt['status'], IconName> = {
  new: 'email',
  read: 'eye',
  in_progress: 'clock',
  resolved: 'success',
}

interface ShownReceipt {
  receipt: Receipt
  /** Has the form, and lends the receipt its look. Undefined if it was deleted. */
  page: PublicPage | undefined
  help: Help
  thing: ShownThing | null
}

export function renderReceipt({ receipt, page, help, thing }: ShownReceipt, language: Language): RenderedPage {
  const texts = RECEIPT_TEXTS[language]
  const { brand, orgName, orgLogoUrl } = receipt
  const title = receiptTitle({ ...receipt, language }, orgName)
  const { background, island, faviconUrl } = page ?? {
    background: DEFAULT_BACKGROUND,
    island: DEFAULT_ISLAND,
    faviconUrl: null,
  }
  const css = RECEIPT_STYLE + SCANNED_STYLE + describeTheme({ background, island, brand }, [])
  const { status, sentAt } = receipt
  const document = html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${faviconUrl ?? orgLogoUrl ?? 'data:,'}">
${styleTag(css)}
</head>
<body>
<div class="island receipt">
<header><p class="who">${logoImage(orgLogoUrl)}<b dir="auto">${orgName}</b></p>${thing && scannedChip(thing)}</header>
<main>
<h1 dir="auto">${title}</h1>
<p class="state">${icon(ICONS[status])}<strong>${texts.statuses[status]}</strong></p>
<p class="muted">${fill(texts.sentAt, { time: formatTime(sentAt, language) })}</p>
${replies(receipt, texts, language)}${answers(receipt, texts)}${links(help, texts)}<p class="muted">${texts.keep}</p>
</main>
</div>
</body>
</html>
`
  const hash = createHash('sha256').update(css).digest('base64')
  return {
    body: document.toString(),
    policy: pagePolicy([`style-src 'sha256-${hash}'`, "img-src https: data: 'self'"]),
  }
}

const replies = ({ replies }: Receipt, texts: ReceiptTexts, language: Language): Html =>
  html`<section><h2>${texts.replies}</h2>
${replies.length === 0 && html`<p class="muted">${texts.noReplies}</p>\n`}${
  replies.length > 0 &&
  html`<ol>${replies.map(
    ({ text, sentAt }) =>
      html`<li><p dir="auto">${text}</p><time class="muted" datetime="${sentAt}">${formatTime(sentAt, language)}</time></li>\n`,
  )}</ol>\n`
}</section>
`

const answers = ({ answers }: Receipt, texts: ReceiptTexts): Html | false =>
  answers.length > 0 &&
  html`<section><h2>${texts.sent}</h2>
<dl>${answers.map(({ label, value }) => html`<dt dir="auto">${label}</dt><dd dir="auto">${value}</dd>\n`)}</dl></section>
`

const links = ({ helpCentre, chat }: Help, texts: ReceiptTexts): Html | false =>
  (helpCentre ?? chat) !== undefined &&
  html`<section><h2>${texts.help}</h2>
<p class="links">${helpCentre && html`<a class="btn secondary" href="${helpCentre}">${texts.helpCentre}</a>`}${
    chat && html`<a class="btn secondary" href="${chat}">${texts.chat}</a>`
  }</p></section>
`
