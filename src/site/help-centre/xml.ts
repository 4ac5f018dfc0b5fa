import { type Html, raw } from '../../platform/text/html.ts'

/** What XML 1.0 has no place for, however it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Text that may stand in XML, still to be escaped. */
export const xmlText = (text: string): string => text.toWellFormed().replace(FORBIDDEN, '')

export const XML_DECLARATION: Html = raw('<?xml version="1.0" encoding="UTF-8"?>\n')
