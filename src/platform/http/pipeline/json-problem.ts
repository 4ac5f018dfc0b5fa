import { describeValue } from '../../contract/describe-value.ts'

const FOUND_LENGTH_MAX = 20

interface Problem {
  /** The offset in the text. */
  at: number
  expected: string
  hint?: string
}

/** What can come next. */
type Next = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end'

const KEY = 'a name in double quotes'
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** What a reader takes for one word, even if it is none in JSON. */
const WORD = /[\w$.+-]+/y
const LITERALS = ['true', 'false', 'null']
const TRAILING = 'remove the comma before it'

/**
 * Says where a text stops being JSON, what was expected there and what was found. The messages of `JSON.parse` have no
 * position for some mistakes, and repeat more of the text than a log should have.
 */
export function describeJsonProblem(text: string): string {
  const { at, expected, hint } = findProblem(text)
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < lineStart; end = text.indexOf('\n', end + 1)) line++
  let column = 1
  for (const _ of text.slice(lineStart, at)) column++
  const place = `line ${line}, column ${column}: expected ${expected} but found ${describeFound(text, at)}`
  return hint === undefined ? place : `${place} (${hint})`
}

function describeFound(text: string, at: number): string {
  const first = text[at]
  if (first === undefined) return 'the end of the body'
  if (first === '\n' || first === '\r') return 'a line break'
  if (first === '"') {
    const end = endOfString(text, at)
    const content = text.slice(at + 1, typeof end === 'number' ? end - 1 : at + 1 + 2 * FOUND_LENGTH_MAX)
    return describeValue(shorten(content))
  }
  const word = match(WORD, text, at) ?? String.fromCodePoint(text.codePointAt(at) as number)
  return describeValue(shorten(word))
}

function shorten(found: string): string {
  const points = [...found.slice(0, 2 * (FOUND_LENGTH_MAX + 1))]
  return points.length > FOUND_LENGTH_MAX ? `${points.slice(0, FOUND_LENGTH_MAX - 1).join('')}…` : found
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Reads tokens in a loop instead of by recursion, because the sender chooses the depth. */
function findProblem(text: string): Problem {
  const open: ('}' | ']')[] = []
  let next: Next = 'value'
  for (let at = skipSpace(text, 0); ; at = skipSpace(text, at)) {
    const character = text[at]
    const closing = open.at(-1)
    if (next === 'value' || next === 'value or ]') {
      if (character === '{' || character === '[') {
        open.push(character === '{' ? '}' : ']')
        next = character === '{' ? 'key or }' : 'value or ]'
        at++
        continue
      }
      if (character === ']' && next === 'value or ]') {
        open.pop()
        at++
      } else {
        const end = endOfValue(text, at, next === 'value' ? 'a value' : 'a value or "]"')
        if (typeof end !== 'number') return character === ']' && closing === ']' ? { ...end, hint: TRAILING } : end
        at = end
      }
      next = 'comma or end'
    } else if (next === 'key' || next === 'key or }') {
      if (character === '}' && next === 'key or }') {
        open.pop()
        at++
        next = 'comma or end'
        continue
      }
      if (character !== '"') return { at, ...expectedKey(next, character) }
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      at = end
      next = 'colon'
    } else if (next === 'colon') {
      if (character !== ':') return { at, expected: '":"' }
      at++
      next = 'value'
    } else if (closing === undefined) {
      return { at, expected: 'the end of the body' }
    } else if (character === ',') {
      at++
      next = closing === '}' ? 'key' : 'value'
    } else if (character === closing) {
      open.pop()
      at++
    } else return { at, expected: `"," or "${closing}"` }
  }
}

function expectedKey(next: Next, character: string | undefined): Omit<Problem, 'at'> {
  if (next === 'key or }') return { expected: `${KEY} or "}"` }
  return character === '}' ? { expected: KEY, hint: TRAILING } : { expected: KEY }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

function endOfValue(text: string, at: number, expected: string): number | Problem {
  if (text[at] === '"') return endOfString(text, at)
  const word = match(WORD, text, at)
  if (word !== undefined && (LITERALS.includes(word) || match(NUMBER, text, at) === word)) return at + word.length
  return text[at] === "'" ? { at, expected, hint: 'use double quotes' } : { at, expected }
}

/** The offset after the closing quote. */
function endOfString(text: string, start: number): number | Problem {
  for (let at = start + 1; ; at++) {
    const character = text[at]
    if (character === '"') return at + 1
    if (character === undefined) return { at, expected: 'a closing double quote' }
    if (character < ' ')
      return { at, expected: 'a closing double quote', hint: 'write control characters as escapes, such as \\n' }
    if (character !== '\\') continue
    const escaped = match(ESCAPE, text, at)
    if (escaped === undefined) return { at: at + 1, expected: 'a letter of an escape, such as \\n or \\u00e4,' }
    at += escaped.length - 1
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
