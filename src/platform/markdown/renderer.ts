import MarkdownIt from 'markdown-it'
import { settleHeadings } from './headings.ts'
import { sanitise } from './sanitise.ts'
import { wordsOf } from './words.ts'

/** Lists within lists count twice. What lies deeper is left out, so it is deeper than anybody writes. */
const NESTING_MAX = 50

export interface Renderer {
  toHtml(markdown: string): string
  toPlain(markdown: string): string
}

/** CommonMark with tables and strikethrough. HTML passes through it: only `sanitise` decides what is safe. */
export function createRenderer(): Renderer {
  const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: NESTING_MAX })
  // Only what says that it is an address becomes a link; "readme.md" is the name of a file.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  for (const scheme of ['ftp:', '//', 'mailto:']) parser.linkify.add(scheme, null)

  const toSafe = (markdown: string) => sanitise(parser.render(markdown))
  return {
    toHtml: (markdown) => settleHeadings(toSafe(markdown)),
    toPlain: (markdown) => wordsOf(toSafe(markdown)),
  }
}
