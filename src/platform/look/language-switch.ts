import { type Html, html } from '../text/html.ts'
import { ownName } from '../text/own-name.ts'

/** The same page in another language. */
export interface LanguageLink {
  language: string
  href: string
}

const GLOBE = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18"/></svg>`

/** A page has one switch. Browsers unfold it for a link to its list. */
const LIST_ID = 'languages'

/** Looks like the switch and leads to it, on a page that has its text in several languages. */
export const linkToSwitch = (label: string, chosen: string): Html =>
  html`<nav class="languages" aria-label="${label}"><a href="#${LIST_ID}">${GLOBE}<span lang="${chosen}">${ownName(chosen)}</span></a></nav>`

/**
 * A globe and the chosen language, which unfold links to the others. Each is named in itself, so that its readers recognise it.
 * Left out if there is nothing to choose. `attributes` are those of the element, such as the language of the label.
 */
export function languageSwitch(
  label: string,
  chosen: string,
  links: readonly LanguageLink[],
  attributes: Html | false = false,
): Html | false {
  if (links.every(({ language }) => language === chosen)) return false
  return html`<nav class="languages" aria-label="${label}"${attributes}><details><summary>${GLOBE}<span lang="${chosen}">${ownName(
    chosen,
  )}</span></summary><ul id="${LIST_ID}">${links.map(
    ({ language, href }) =>
      html`<li><a href="${href}" lang="${language}"${!href.startsWith('#') && html` hreflang="${language}"`}${
        language === chosen && html` aria-current="true"`
      }>${ownName(language)}</a></li>`,
  )}</ul></details></nav>`
}
