import { AI_TABLE, type ApplicationIdentifier } from './ai-table.ts'

/** `Z` is the alphabet of base64url, for signatures. */
const SETS = {
  N: '\\d',
  X: '[!"%&\'()*+,\\-./0-9:;<=>?A-Z_a-z]',
  Y: '[#\\-/0-9A-Z]',
  Z: '[A-Za-z0-9_=-]',
}

interface CompiledIdentifier extends ApplicationIdentifier {
  pattern: RegExp
}

const AIS: ReadonlyMap<string, CompiledIdentifier> = new Map(
  Object.entries(AI_TABLE).map(([ai, row]) => [ai, { ...row, pattern: compile(row.format) }]),
)

/** Undefined for a key that GS1 has not assigned. */
export const findAi = (ai: string): ApplicationIdentifier | undefined => AIS.get(ai)

/** Whether GS1 has assigned this key. */
export const isAssignedAi = (ai: string): boolean => AIS.has(ai)

/** Whether a decoded value has the format of its AI, with the correct check digit. False for an unknown AI. */
export function isAiValue(ai: string, value: string): boolean {
  const row = AIS.get(ai)
  if (row === undefined || !row.pattern.test(value)) return false
  if (row.startsWithPrefix && !/^\d{4}/.test(value)) return false
  if (row.checkDigits !== undefined) {
    const from = row.checkFrom ?? 0
    if (!endsWithCheckDigit(value, from, from + row.checkDigits)) return false
  }
  return row.rule === undefined || RULES[row.rule](value)
}

/** Weighs the digits 3, 1, 3, … from the right; the last digit completes the sum to a multiple of ten. */
export function endsWithCheckDigit(text: string, from = 0, to = text.length): boolean {
  let sum = 0
  for (let at = to - 1, weight = 1; at >= from; at--, weight = 4 - weight) sum += (text.charCodeAt(at) - 48) * weight
  return sum % 10 === 0
}

const RULES: Record<NonNullable<ApplicationIdentifier['rule']>, (value: string) => boolean> = {
  // Day 00 is the last day of the month.
  date: (value) => isDate(value, 0),
  exact_date: (value) => isDate(value, 1),
  date_time: (value) => isDate(value, 0) && Number(value.slice(6, 8)) < 24 && Number(value.slice(8, 10)) < 60,
  no_leading_zero: (value) => value === '0' || !value.startsWith('0'),
  leading_zero: (value) => value.startsWith('0'),
  yes_no: (value) => value === '0' || value === '1',
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** YYMMDD. A link does not say the century, so 29 February is accepted in every year that can be a leap year. */
function isDate(value: string, dayMin: number): boolean {
  const month = Number(value.slice(2, 4))
  const day = Number(value.slice(4, 6))
  const days = month === 2 && Number(value.slice(0, 2)) % 4 !== 0 ? 28 : DAYS[month - 1]
  return days !== undefined && day >= dayMin && day <= days
}

function compile(format: string): RegExp {
  const parts = format.split('+').map((part) => {
    const [, open, set, dots, length] = /^(\[?)([NXYZ])(\.\.)?(\d+)\]?$/.exec(part) ?? []
    if (set === undefined) throw new Error(`The format ${format} is malformed.`)
    const source = `${SETS[set as keyof typeof SETS]}{${dots ? `1,${length}` : length}}`
    return open ? `(?:${source})?` : source
  })
  return new RegExp(`^${parts.join('')}$`)
}
