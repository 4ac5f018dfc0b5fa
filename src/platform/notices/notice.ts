import { LANGUAGES, type Language } from '../contract/languages.ts'
import { FixedBody } from '../http/fixed-body.ts'
import { pagePolicy } from '../http/security-headers.ts'
import { html, raw } from '../text/html.ts'
import { negotiate } from '../text/negotiate-language.ts'
import { illustrate, type Scene } from './illustrations.ts'
import { STYLE } from './style.ts'

export interface NoticeText {
  title: string
  text: string
  /** For the owner of what the visitor looks for. */
  owner?: string
  /** The label of a link to the same page, which then also reloads by itself. */
  retry?: string
}

/** Its style sheet is part of the page, and so is its empty icon. */
export const NOTICE_POLICY = pagePolicy(["style-src 'unsafe-inline'", 'img-src data:'])

export const NOTICE_HEADERS = [
  'content-type',
  'text/html; charset=utf-8',
  'content-security-policy',
  NOTICE_POLICY,
  'referrer-policy',
  'no-referrer',
  'vary',
  'accept-language, accept-encoding',
]

/** Renders a page that only says something, under a picture. It loads no resources and runs no scripts. */
export function renderNotice(scene: Scene, language: Language, { title, text, owner, retry }: NoticeText): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${retry && html`<meta http-equiv="refresh" content="5">`}
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${illustrate(scene)}
<h1>${title}</h1>
<p>${text}</p>
${owner && html`<p>${owner}</p>`}
${retry && html`<a href="">${retry}</a>`}
</main>
</body>
</html>
`.toString()
}

interface NoticePage {
  status: number
  language: Language
  body: FixedBody
}

/** Notices of several kinds, rendered on first use and cached without a limit: there is one per kind and language. */
export class NoticePages<Kind extends string> {
  readonly #kinds: Record<Kind, { status: number; scene: Scene }>
  readonly #texts: (language: Language) => Record<Kind, NoticeText>
  readonly #pages = new Map<string, NoticePage>()

  constructor(
    kinds: Record<Kind, { status: number; scene: Scene }>,
    texts: (language: Language) => Record<Kind, NoticeText>,
  ) {
    this.#kinds = kinds
    this.#texts = texts
  }

  get(kind: Kind, acceptLanguage: string | undefined): NoticePage {
    const language = negotiate(acceptLanguage, LANGUAGES, 'en')
    const key = `${kind} ${language}`
    const cached = this.#pages.get(key)
    if (cached !== undefined) return cached
    const { status, scene } = this.#kinds[kind]
    const body = new FixedBody(Buffer.from(renderNotice(scene, language, this.#texts(language)[kind])))
    const page = { status, language, body }
    this.#pages.set(key, page)
    return page
  }
}
