import { SharedCache } from '../../../../platform/bounded/index.ts'
import type { Clock } from '../../../../platform/clock/index.ts'
import type { Language } from '../../../../platform/contract/languages.ts'
import type { Markdown } from '../../../../platform/markdown/index.ts'
import { markdownHtml } from '../../../../platform/pages/index.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import type { StoredMessage } from '../../conversations/index.ts'
import type { PublicChatbot } from '../chatbots/index.ts'
import type { FileLinks } from '../files/file-links.ts'
import { icon } from '../icons.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { writtenText } from './written-text.ts'

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const LIMITS = { bytesMax: 8 * MIB, bytesPerKeyMax: 2 * MIB }
/** The address of a visitor's file in the API. */
const VISITOR_FILE = /\/v1\/conversations\/[0-9a-f-]{36}\/files\/([0-9a-f-]{36})$/

type Part = StoredMessage['parts'][number]

/** See `Citation`. */
interface Source {
  title: string
  url: string
  snippet: string
}

interface RenderOptions {
  /** The visitor has just said whether it helped. */
  hasVoted?: boolean
  /** Whether the visitor can still ask for a person. */
  mayAsk?: boolean
}

/** Who wrote a message. */
const authorOf = ({ role, metadata }: StoredMessage): 'visitor' | 'chatbot' | 'agent' | 'notice' => {
  if (role === 'user') return 'visitor'
  if (role === 'system') return 'notice'
  return 'model' in metadata ? 'chatbot' : 'agent'
}

/** Messages as visitors see them. Only the Markdown of answers takes time, and is cached. */
export class RenderedMessages {
  readonly bytesMax = LIMITS.bytesMax
  readonly #cache = new SharedCache(LIMITS, ({ html }: { html: string }) => 100 + 2 * html.length)
  readonly #markdown: Markdown
  readonly #links: FileLinks
  readonly #clock: Clock

  constructor(markdown: Markdown, links: FileLinks, clock: Clock) {
    this.#markdown = markdown
    this.#links = links
    this.#clock = clock
  }

  get usedBytes(): number {
    return this.#cache.usedBytes
  }

  /** Inside of a `div`, `main` or `article`, see `Markdown`. */
  async render(
    chatbot: PublicChatbot,
    language: Language,
    message: StoredMessage,
    options: RenderOptions = {},
  ): Promise<string> {
    const texts = TEXTS[language]
    const author = authorOf(message)
    const names = { visitor: texts.you, chatbot: chatbot.name, agent: texts.team, notice: '' }
    const parts: Insertable[] = []
    for (const part of message.parts) parts.push(await this.#part(chatbot, message, part, author))
    const more = author === 'chatbot' && answerExtras(chatbot, message, language, options)
    const { id, role, created_at } = message
    return html`<article class="message ${author}" id="m-${id}" data-message="${id}" data-role="${role}" data-at="${created_at}">
${author !== 'notice' && html`<h2 class="${author === 'agent' ? 'who' : 'hidden'}" dir="auto">${names[author]}</h2>`}<div class="bubble">${parts}${more}</div>
</article>
`.toString()
  }

  async #part(chatbot: PublicChatbot, message: StoredMessage, part: Part, author: string): Promise<Insertable> {
    if (part.type === 'file') return this.#file(chatbot, part)
    const text = part.text ?? ''
    if (author === 'visitor' || author === 'notice') return html`<p class="written" dir="auto">${text}</p>`
    if (author === 'agent') return html`<p class="written" dir="auto">${writtenText(text)}</p>`
    const key = `${message.id} ${part.id}`
    const prose = await this.#cache.fetch(chatbot.orgId, key, async () => ({
      html: await markdownHtml(this.#markdown, chatbot.orgId, text),
    }))
    return html`<div class="prose" dir="auto">${raw(prose?.html ?? '')}</div>`
  }

  #file(chatbot: PublicChatbot, { file_url, file_media_type, file_filename }: Part): Html | false {
    const own = VISITOR_FILE.exec(file_url ?? '')?.[1]
    const url = own === undefined ? (file_url ?? '') : this.#links.sign(chatbot, own, this.#clock())
    if (own === undefined && !/^https?:\/\//i.test(url)) return false
    const name = file_filename ?? (URL.canParse(url) ? new URL(url).hostname : url)
    const isImage = file_media_type?.startsWith('image/') === true
    return html`<a class="file" href="${url}" target="_blank" rel="noopener noreferrer nofollow">${
      isImage
        ? html`<img src="${url}" alt="${name}" loading="lazy">`
        : html`${icon('file')}<span dir="auto">${name}</span>`
    }</a>`
  }
}

type Insertable = Html | false

/** Below an answer: where it is from, and whether it helped. Below "I don't know": a way to ask a person. */
function answerExtras(
  { publicSlug, humanSupport }: PublicChatbot,
  message: StoredMessage,
  language: Language,
  { hasVoted = false, mayAsk = true }: RenderOptions,
): Html {
  const { citations = [], is_answered } = message.metadata
  const { answer, person } = TEXTS[language]
  const isAnswered = is_answered === true
  return html`${sources(answer, citations as Source[])}${
    !isAnswered &&
    humanSupport &&
    mayAsk &&
    html`<p><a class="pill" href="#person" data-person>${icon('person')}${person.ask}</a></p>`
  }${
    isAnswered &&
    html`<form class="vote" method="post" action="/c/${publicSlug}/feedback?lang=${language}" data-vote>${
      hasVoted
        ? html`<p>${answer.thanks}</p>`
        : html`<input type="hidden" name="message" value="${message.id}"><p>${answer.helpful}</p><button name="helpful" value="yes">${icon('up')}<span>${answer.yes}</span></button><button name="helpful" value="no">${icon('down')}<span>${answer.no}</span></button>`
    }</form>`
  }`
}

/** A chip for each article. It opens the passage that the answer is from. */
function sources({ sources: title, openArticle }: Texts['answer'], citations: readonly Source[]): Html | false {
  if (citations.length === 0) return false
  const chips = citations.map(
    ({ title: name, url, snippet }) =>
      html`<details class="source"><summary>${icon('file')}<span dir="auto">${name}</span></summary><blockquote dir="auto">${snippet}</blockquote>${
        /^https?:\/\//.test(url) && html`<p><a href="${url}" target="_blank" rel="noopener">${openArticle}</a></p>`
      }</details>`,
  )
  return html`<div class="sources"><h3>${title}</h3>${chips}</div>`
}
