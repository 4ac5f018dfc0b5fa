import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const TASK = /^\[([ xX])\][ \u00A0]/
/** `## Care {#care}`, and `{: #care }` of other tools. */
const EXPLICIT_ID = /[ \t]*\{:?[ \t]*#([\p{L}\p{N}_.:-]{1,200})[ \t]*\}[ \t]*$/u

/** Tasks in lists (`- [x] done`), and explicit ids of headings. Both are marked by what is written in them. */
export function addMarkedItems(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'marked_items', ({ tokens, Token }: StateCore) => {
    for (const [n, { type, children }] of tokens.entries()) {
      if (type !== 'inline' || children === null) continue
      const item = tokens[n - 2]
      if (item?.type === 'list_item_open') markTask(item, children)
      if (tokens[n - 1]?.type === 'heading_open') takeId(children, Token)
    }
  })
}

/** Characters instead of check boxes: they are read aloud, printed and found without a form. */
function markTask(item: Token, [text]: readonly Token[]): void {
  const [, mark] = TASK.exec(text?.type === 'text' ? text.content : '') ?? []
  if (text === undefined || mark === undefined) return
  item.attrSet('class', 'task')
  text.content = text.content.replace(TASK, mark === ' ' ? '☐ ' : '☑ ')
}

/** Becomes an anchor at the beginning of the heading, which `headings.ts` takes for the id. */
function takeId(children: Token[], AnyToken: typeof Token): void {
  const last = children.at(-1)
  const [found, id] = EXPLICIT_ID.exec(last?.type === 'text' ? last.content : '') ?? []
  if (last === undefined || found === undefined) return
  last.content = last.content.slice(0, -found.length)
  children.unshift(Object.assign(new AnyToken('html_inline', '', 0), { content: `<a id="${id}"></a>` }))
}
