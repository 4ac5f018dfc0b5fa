/** Stands for what only a program could say. */
const UNREADABLE = Symbol('unreadable')

const TOKEN =
  /\s*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s)*([{}[\],:]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|[A-Za-z_$][\w$]*|-?\d+(?:\.\d+)?|\S)/y
const DEPTH_MAX = 40

/**
 * Reads an object or array that is written as a literal of JavaScript, without running anything. Undefined if it is not
 * one. Values that a program computes are `UNREADABLE`.
 */
export function readLiteral(text: string, start: number): unknown {
  let at = start
  let token = ''
  const next = () => {
    TOKEN.lastIndex = at
    token = TOKEN.exec(text)?.[1] ?? ''
    at = token === '' ? text.length : TOKEN.lastIndex
  }
  const readValue = (depth: number): unknown => {
    if (token === '{' && depth < DEPTH_MAX) return readObject(depth)
    if (token === '[' && depth < DEPTH_MAX) return readArray(depth)
    const value = toScalar(token)
    next()
    if (token === ',' || token === '}' || token === ']' || token === '') return value
    skip()
    return UNREADABLE
  }
  /** Skips the rest of a value that is a program. */
  const skip = () => {
    for (let depth = 0; token !== ''; next()) {
      if (depth === 0 && (token === ',' || token === '}' || token === ']')) return
      if ('{[('.includes(token)) depth++
      else if ('}])'.includes(token)) depth--
    }
  }
  const readArray = (depth: number): unknown[] => {
    const items: unknown[] = []
    next()
    while (token !== ']' && token !== '') {
      items.push(readValue(depth + 1))
      if (token === ',') next()
    }
    next()
    return items
  }
  const readObject = (depth: number): Record<string, unknown> => {
    const entries: [string, unknown][] = []
    next()
    while (token !== '}' && token !== '') {
      const key = /^["'`]/.test(token) ? String(toScalar(token)) : token
      next()
      if (token === ':') {
        next()
        entries.push([key, readValue(depth + 1)])
      } else skip()
      if (token === ',') next()
    }
    next()
    return Object.fromEntries(entries)
  }
  next()
  return token === '{' ? readObject(0) : token === '[' ? readArray(0) : undefined
}

function toScalar(token: string): unknown {
  if (/^["'`]/.test(token)) return token.includes('${') ? UNREADABLE : token.slice(1, -1).replace(/\\(.)/g, '$1')
  if (/^-?\d/.test(token)) return Number(token)
  if (token === 'true' || token === 'false') return token === 'true'
  return token === 'null' ? null : UNREADABLE
}
