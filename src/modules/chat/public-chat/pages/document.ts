import { LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { pagePolicy } from '../../../../platform/http/server/security-headers.ts'
import { styleTag } from '../../../../platform/look/index.ts'
import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import type { PublicChatbot } from '../chatbots/index.ts'
import { icon } from '../icons.ts'
import { SCRIPT_URL } from '../script/index.ts'
import type { Theme } from '../style.ts'
import { TEXTS, type Texts } from '../texts.ts'

/** What a page shows to one visitor. */
export interface ChatView {
  chatbot: PublicChatbot
  language: Language
  /** For texts of the chatbot: see `ChatVisit`. */
  accepted: string
  theme: Theme
  /** The page in the widget, which has no cookies. */
  isFrame: boolean
}

interface Parts {
  head?: Html | false
  /** Shown in the header, beside the name. */
  menu?: Html | false
  main: Html
  /** What the script needs. */
  data: object
}

export function toDocument(view: ChatView, { head, menu, main, data }: Parts): RenderedPage {
  const { chatbot, language, theme, isFrame } = view
  const texts = TEXTS[language]
  const document = html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${chatbot.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
${head}<link rel="icon" href="data:,">
${styleTag(theme.css)}
<script src="${SCRIPT_URL}" defer></script>
</head>
<body data-chat="${JSON.stringify({ url: `/c/${chatbot.publicSlug}`, isFrame, ...data })}">
<header class="top">
${face(chatbot)}<div class="names"><h1 dir="auto">${chatbot.name}</h1><p dir="auto">${chatbot.organisationName}</p></div>
${menu}${isFrame && html`<button class="round" type="button" data-close>${icon('close')}<span class="hidden">${texts.widget.close}</span></button>`}
</header>
${main}
</body>
</html>
`
  return { body: document.toString(), policy: policyOf(view) }
}

const face = ({ logoUrl, name }: PublicChatbot): Html =>
  logoUrl === null
    ? html`<span class="face" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`
    : html`<img class="face" src="${logoUrl}" alt="">`

/** Any site may show the frame: it knows nothing about the visitor but what was said in it. */
const policyOf = ({ theme, isFrame }: ChatView): string =>
  pagePolicy(
    [theme.source, "img-src https: data: blob: 'self'", "script-src 'self'", "connect-src 'self'"],
    "'self'",
    isFrame ? '*' : "'none'",
  )

/** Links to the page in all languages, and a way to begin again. */
export const menu = (
  { chatbot, language }: ChatView,
  { language: label, menu, newConversation }: Texts,
  canRestart: boolean,
) =>
  html`<details class="menu"><summary class="round">${icon('more')}<span class="hidden">${menu}</span></summary><div>
${canRestart && html`<form method="post" action="/c/${chatbot.publicSlug}/new?lang=${language}" data-new><button>${newConversation}</button></form>`}
<nav aria-label="${label}"><ul>${LANGUAGES.map(
    (other) =>
      html`<li><a href="?lang=${other}" lang="${other}" hreflang="${other}"${other === language && html` aria-current="true"`}>${nameOf(other)}</a></li>`,
  )}</ul></nav></div></details>
`

/** Names a language in the language itself, so that its readers recognise it. */
const nameOf = (language: Language): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
