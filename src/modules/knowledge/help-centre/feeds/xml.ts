import { type Html, html } from '../../../../platform/text/html.ts'

/** Characters that XML 1.0 does not allow, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the forbidden ones
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Removes characters that XML does not allow. The result still has to be escaped. */
export const xmlText = (text: string): string => text.toWellFormed().replace(FORBIDDEN, '')

export const XML_DECLARATION: Html = html`<?xml version="1.0" encoding="UTF-8"?>\n`
