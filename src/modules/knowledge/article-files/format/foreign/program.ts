import { maskCode, maskOnlyCode } from './mask.ts'

const STATEMENT = /^(?:import\s(?:.*\sfrom\s+)?['"{*\w]|export\s+(?:const|let|var|default|function|async|class|\{))/
const IMPORT = /^import\s+(?:[^'"\n]+\s+from\s+)?['"][^'"\n]+['"];?[ \t]*$/m
const COMMENT = /\{\/\*[\s\S]*?\*\/\}/g

/** A statement begins a block. In the middle of a paragraph, `import` is a word. */
const BEFORE_STATEMENT = /^(?:\s*$|#{1,6}[ \t]|.*[>;][ \t]*$)/

/** Whether a text has components and programs in it. */
export const isMdx = (path: string, text: string): boolean => /\.mdx$/i.test(path) || IMPORT.test(maskCode(text))

/** Comments of MDX are not HTML, so that readers would see them. Keeps the number of lines. */
export function withoutComments(text: string): string {
  const masked = maskOnlyCode(text)
  return text.replace(COMMENT, (comment, at: number) => (masked[at] === '{' ? comment.replace(/[^\n]/g, '') : comment))
}

/** Removes the programs and comments of MDX. Keeps the number of lines. */
export function withoutPrograms(text: string): string {
  const masked = maskCode(text).split('\n')
  let isOpen = false
  let depth = 0
  return withoutComments(text)
    .split('\n')
    .map((line, n) => {
      const visible = masked[n] ?? ''
      if (!isOpen && !(STATEMENT.test(visible) && BEFORE_STATEMENT.test(masked[n - 1] ?? ''))) return line
      isOpen = true
      for (const bracket of visible.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/[{}[\]()]/g)) {
        depth += '{[('.includes(bracket[0]) ? 1 : -1
      }
      // A statement ends with a blank line, unless it is in the middle of something.
      if (depth <= 0 && (visible.trim() === '' || masked[n + 1]?.trim() === '')) {
        isOpen = false
        depth = 0
      }
      return ''
    })
    .join('\n')
}
