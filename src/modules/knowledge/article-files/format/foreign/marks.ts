import type { Dialect } from './dialect.ts'
import { maskCode, maskPlainCode } from './mask.ts'

const KEY = String.raw`(?:[A-Za-z0-9_-]+|"[^"\n]+"|'[^'\n]+')`
/** `++ctrl+alt+"x"++`, but not in a path. */
const KEYS = new RegExp(String.raw`(?<![\w+\\]|\w/)\+\+(${KEY}(?:\+${KEY})*)\+\+(?![\w+])`, 'g')
/** `==highlighted==` and `^^underlined^^`, also over the end of a line. */
const HIGHLIGHTED =
  /(?<![=\\\w{])==(?=[^\s=])((?:(?!\n[ \t]*\n)[\s\S]){1,500}?)(?<=[^\s=])==(?![=\w}])|(?<![\^\\\w])\^\^(?=[^\s^])([^\n]{1,500}?)(?<=[^\s^])\^\^(?![\^\w])/g

/** Replaces the marks of PyMdown by the text in them. Keeps the number of lines. */
export function withoutMarks(text: string, { hasPyMdown, isMkDocs }: Dialect): string {
  if (!hasPyMdown) return text
  const withKeys = replaceOutside(text, KEYS, (keys) => toKeys(keys))
  return isMkDocs ? replaceOutside(withKeys, HIGHLIGHTED, (highlighted) => highlighted) : withKeys
}

/** Marks may be around code, but not in it. */
function replaceOutside(text: string, pattern: RegExp, replace: (inner: string) => string): string {
  if (text.search(pattern) === -1) return text
  const masked = maskPlainCode(maskCode(text))
  return text.replace(pattern, (all: string, ...found: unknown[]) => {
    const inner = found.find((each) => typeof each === 'string') as string
    const at = found.find((each) => typeof each === 'number') as number
    const isText = masked[at] === all[0] && masked[at + all.length - 1] === all.at(-1)
    return isText ? replace(inner) : all
  })
}

/** `ctrl+page-up+"x"` → `Ctrl+Page Up+x` */
function toKeys(written: string): string {
  const keys = written.match(new RegExp(KEY, 'g')) ?? []
  return keys
    .map((key) =>
      /^["']/.test(key)
        ? key.slice(1, -1)
        : key.replace(/[-_]+/g, ' ').replace(/(?<![A-Za-z0-9])[a-z]/g, (letter) => letter.toUpperCase()),
    )
    .join('+')
}
