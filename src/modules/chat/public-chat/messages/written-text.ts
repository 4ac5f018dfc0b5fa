import { type Html, html } from '../../../../platform/text/html.ts'

const URL_IN_TEXT = /https?:\/\/[^\s<>"']{1,2000}/g
/** What ends a sentence is not part of the address before it. */
const AFTER_URL = /[.,;:!?)\]}»”’]+$/

/** What an agent wrote, with its addresses as links. Nothing else in it is markup. */
export function writtenText(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = found.replace(AFTER_URL, '')
    if (!URL.canParse(url)) continue
    const link = html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${url}</a>`
    parts.push(text.slice(end, index), link)
    end = index + url.length
  }
  return html`${[...parts, text.slice(end)]}`
}
