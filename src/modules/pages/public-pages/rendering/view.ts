import type { ContentLanguage, Language } from '../../../../platform/contract/languages.ts'
import type { ShownThing } from '../../../../platform/look/index.ts'
import { directionOf } from '../../../../platform/text/direction.ts'
import { type Html, html, type Insert } from '../../../../platform/text/html.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import { type Block, type BlockOf, type Text, type TextInLanguage, textIn } from '../../blocks/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { ABOUT_FIELD, type FormState } from '../form-state.ts'
import type { PageView } from '../request-services.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { type Facts, fillText, fillUrl } from './placeholders.ts'

/** What a page needs besides its own record. */
export interface LoadedPage {
  page: PublicPage
  /** Where buttons lead to that have a destination, by the id of the block. */
  links: ReadonlyMap<string, string>
}

/** A page for one visitor, as blocks need it. Collects the colours and spacings that they ask for. */
export class View {
  readonly page: PublicPage
  /** The language of the page as a whole: almost all of its words are those of the organisation. */
  readonly language: ContentLanguage
  readonly interfaceLanguage: Language
  readonly texts: Texts
  /** The attributes of an element with our own words. Nothing if they are in the language of the page. */
  readonly ours: Html | false
  readonly facts: Facts
  readonly form: FormState | null
  /** The signed attribution to what was scanned, for a form of this page. Null if nothing was scanned. */
  readonly about: (pageId: string) => string | null
  /** Safe HTML of text blocks, without the values of placeholders, by the id of the block. */
  readonly prose: ReadonlyMap<string, string>
  /** What was scanned, as every page shows it. */
  readonly thing: ShownThing | null
  readonly #links: ReadonlyMap<string, string>
  readonly colors: string[] = []
  readonly spacings: string[] = []

  constructor(
    { page, links }: LoadedPage,
    { language, interfaceLanguage, facts, form }: PageView,
    prose: ReadonlyMap<string, string>,
    about: (pageId: string) => string | null,
    thing: ShownThing | null = null,
  ) {
    this.page = page
    this.language = language
    this.interfaceLanguage = interfaceLanguage
    this.texts = TEXTS[interfaceLanguage]
    this.ours =
      interfaceLanguageFor(language) === undefined &&
      html` lang="${interfaceLanguage}" dir="${directionOf(interfaceLanguage)}"`
    this.facts = facts
    this.form = form
    this.about = about
    this.prose = prose
    this.thing = thing
    this.#links = links
  }

  text(text: Text): string {
    return fillText(this.#choose(text).text, this.facts)
  }

  /** The attributes of the element that shows a text: its direction, and its language if it is not that of the page. */
  attributes(text: Text | null): Html {
    return languageOf(text === null ? this.language : this.#choose(text).language, this.language)
  }

  /** Our own words, inside an element with a text of the page. */
  say(words: string): Insert {
    return this.ours ? html`<span${this.ours}>${words}</span>` : words
  }

  /** Returns an empty text for null. */
  note(text: Text | null): string {
    return text === null ? '' : this.text(text)
  }

  /** Returns undefined for anything but a web address. */
  url(url: string | null): string | undefined {
    const filled = url === null ? '' : fillUrl(url, this.facts)
    return /^https?:\/\//i.test(filled) ? filled : undefined
  }

  /** Where the destination of a button is. Another page of ours gets what was scanned. */
  linkOf({ id, config }: BlockOf<'button'>): string | undefined {
    const link = this.#links.get(id)
    const pageId = config.destination?.page ?? null
    const about = pageId === null ? null : this.about(pageId)
    return link === undefined || about === null ? link : `${link}?${ABOUT_FIELD}=${about}`
  }

  /** The class of a colour, or an empty text. */
  color(color: string | null): string {
    return color === null ? '' : ` c${placeOf(this.colors, color.toLowerCase())}`
  }

  /** The class of the space around a block. */
  spacing({ spacing_top, spacing_bottom, spacing_left, spacing_right }: Block): string {
    const px = (size: number) => (size === 0 ? '0' : `${size}px`)
    const sides = [spacing_top, spacing_right, spacing_bottom, spacing_left].map(px).join(' ')
    return `s${placeOf(this.spacings, sides)}`
  }

  #choose(text: Text): TextInLanguage {
    return textIn(text, this.language, this.page.defaultLanguage)
  }

  /** What the visitor sent for a field. Undefined if nothing was sent so far. */
  answer(name: string): readonly string[] | undefined {
    return this.form === null ? undefined : (this.form.answers.get(name) ?? [])
  }
}

function placeOf(list: string[], value: string): number {
  const place = list.indexOf(value)
  return place === -1 ? list.push(value) - 1 : place
}
