const VALUE_LENGTH_MAX = 60

/** Characters that a terminal or a log would act on instead of showing them. */
const INVISIBLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Shows a value that was sent, short and safe to print. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return String(value)
}

function quote(text: string): string {
  // A code point has at most two units, so this has enough of them.
  const points = [...text.slice(0, 2 * (VALUE_LENGTH_MAX + 1))]
  const shown = points.length > VALUE_LENGTH_MAX ? `${points.slice(0, VALUE_LENGTH_MAX).join('')}…` : text
  return JSON.stringify(shown).replace(INVISIBLE, escaped)
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const STEPS_MAX = 20
const PLAIN_NAME = /^[A-Za-z_][\w-]{0,63}$/

/** The path of a field, as people write it: `items[417].status`. A key that is not a plain name is quoted. */
export function describePath(path: readonly PropertyKey[]): string {
  const shown = path.slice(0, STEPS_MAX).map((step, n) => {
    if (typeof step === 'number') return `[${step}]`
    const name = String(step)
    if (!PLAIN_NAME.test(name)) return n === 0 ? quote(name).slice(1, -1) : `[${quote(name)}]`
    return n === 0 ? name : `.${name}`
  })
  return shown.join('') + (path.length > STEPS_MAX ? '…' : '')
}
