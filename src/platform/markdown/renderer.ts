import MarkdownIt from 'markdown-it'
import { rewriteHeadings } from './headings.ts'
import { toPlainText } from './plain-text.ts'
import { sanitise } from './sanitise.ts'

/** Deeper content is dropped, so this is deeper than real texts. A list within a list counts as two levels. */
const NESTING_MAX = 50

export interface Renderer {
  toHtml(markdown: string): string
  toPlain(markdown: string): string
}

/** CommonMark with tables and strikethrough. HTML passes through the parser: only `sanitise` makes it safe. */
export function createRenderer(): Renderer {
  const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: NESTING_MAX })
  // Link only text with a scheme: "readme.md" is a file name, not a host.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  for (const scheme of ['ftp:', '//', 'mailto:']) parser.linkify.add(scheme, null)

  const toSafe = (markdown: string) => sanitise(parser.render(markdown))
  return {
    toHtml: (markdown) => rewriteHeadings(toSafe(markdown)),
    toPlain: (markdown) => toPlainText(toSafe(markdown)),
  }
}
