import { LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { pagePolicy } from '../../../../platform/http/server/security-headers.ts'
import { languageSwitch, styleTag, type Theme } from '../../../../platform/look/index.ts'
import type { RenderedPage } from '../../../../platform/pages/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import type { PublicChatbot } from '../chatbots/index.ts'
import { icon } from '../icons.ts'
import { SCRIPT_URL } from '../script/index.ts'
import { TEXTS, type Texts } from '../texts.ts'

/** What a page shows to one visitor. */
export interface ChatView {
  chatbot: PublicChatbot
  language: Language
  /** The languages of the visitor, for texts of the chatbot: see `ChatVisit`. */
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
  /** A part of the address that links to other languages keep. */
  query?: string
}

export function toDocument(view: ChatView, { head, menu, main, data, query = '' }: Parts): RenderedPage {
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
${languages(view, texts, query)}${menu}${isFrame && html`<button class="round" type="button" data-close>${icon('close')}<span class="hidden">${texts.widget.close}</span></button>`}
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
    [`style-src ${theme.source}`, "img-src https: data: blob: 'self'", "script-src 'self'", "connect-src 'self'"],
    "'self'",
    isFrame ? '*' : "'none'",
  )

/** A way to begin again, where nobody takes it by accident. */
export const menu = ({ chatbot, language }: ChatView, { menu, newConversation }: Texts): Html =>
  html`<details class="menu"><summary class="round">${icon('more')}<span class="hidden">${menu}</span></summary><div>
<form method="post" action="/c/${chatbot.publicSlug}/new?lang=${language}" data-new><button>${newConversation}</button></form></div></details>
`

const languages = ({ chatbot, language, isFrame }: ChatView, { language: label }: Texts, query: string) =>
  languageSwitch(
    label,
    language,
    LANGUAGES.map((other) => ({
      language: other,
      href: `/c/${chatbot.publicSlug}${isFrame ? '/frame' : ''}?${query}lang=${other}`,
    })),
  )
