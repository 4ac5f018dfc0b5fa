import MarkdownIt, { type Env } from 'markdown-it'
import { addCallouts } from './callouts.ts'
import { addDefinitionLists } from './definition-lists.ts'
import { addEmbeddedMedia, type Warning, warningsIn } from './embedded-media.ts'
import { addFootnotes } from './footnotes.ts'
import { rewriteHeadings } from './headings.ts'
import { addMarkedItems } from './marked-items.ts'
import { addPlaceholderLines, showPlaceholders } from './placeholders.ts'
import { toPlainText } from './plain-text.ts'
import { sanitise } from './sanitise.ts'

/** Deeper content is dropped, so this is deeper than real texts. A list within a list counts as two levels. */
const NESTING_MAX = 50

export interface PlainText {
  text: string
  warnings: Warning[]
}

export interface Renderer {
  toHtml(markdown: string): string
  toPlain(markdown: string): string
  /** The plain text, and what readers do not see as it was written. */
  check(markdown: string): PlainText
}

/** CommonMark with tables, strikethrough and what is added here. HTML passes: only `sanitise`, as the last step, makes it safe. */
export function createRenderer(): Renderer {
  const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: NESTING_MAX })
  // Link only text with a scheme: "readme.md" is a file name, not a host.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  for (const scheme of ['ftp:', '//', 'mailto:']) parser.linkify.add(scheme, null)
  for (const add of [
    addCallouts,
    addFootnotes,
    addDefinitionLists,
    addMarkedItems,
    addEmbeddedMedia,
    addPlaceholderLines,
  ])
    add(parser)

  const toSafe = (markdown: string, env: Env = {}) => sanitise(showPlaceholders(parser.render(markdown, env)))
  return {
    toHtml: (markdown) => rewriteHeadings(toSafe(markdown)),
    toPlain: (markdown) => toPlainText(toSafe(markdown)),
    check: (markdown) => {
      const env: Env = {}
      return { text: toPlainText(toSafe(markdown, env)), warnings: warningsIn(env) }
    },
  }
}
