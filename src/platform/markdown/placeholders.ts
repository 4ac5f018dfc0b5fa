import type { MarkdownIt, StateBlock } from 'markdown-it'
import { unknownElements } from './html-elements.ts'
import { beginsWith, isCode, lineAt } from './nested-blocks.ts'

/** Ends at a bracket, too, so that a tag within an unfinished tag is found. */
const TAG = /<\/?[a-z][^\s<>/]*/gi
const FIRST_TAG = new RegExp(`^\\s*(${TAG.source})`, 'i')

/** Keeps a line with only a placeholder from beginning a block of HTML, in which nothing is formatted until the next blank line. */
export function addPlaceholderLines(md: MarkdownIt): void {
  md.block.ruler.before('html_block', 'placeholder_line', (state: StateBlock, startLine, endLine, silent) => {
    if (silent || !beginsWith(state, startLine, '<') || isCode(state, startLine)) return false
    const [, tag] = FIRST_TAG.exec(lineAt(state, startLine)) ?? []
    if (tag === undefined || !unknownElements()(tag)) return false
    const readParagraph = md.block.ruler.getRules('').at(-1)
    return readParagraph?.(state, startLine, endLine, silent) ?? false
  })
}

/**
 * Shows elements that HTML does not know as text: they are placeholders, such as `<your-host>`. Only what `sanitise` makes of
 * the result is safe.
 */
export function showPlaceholders(html: string): string {
  const isUnknown = unknownElements()
  return html.replace(TAG, (tag) => (isUnknown(tag) ? `&lt;${tag.slice(1)}` : tag))
}
