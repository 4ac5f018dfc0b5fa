import { endsWithCheckDigit } from './ai-values.ts'

const FORM = /^(?:\d{8}|\d{12,14})$/
const ALL_ZEROS = /^0+$/

/** Whether a text has the format of a GTIN. The check digit may still be wrong. */
export const isGtinForm = (text: string): boolean => FORM.test(text)

/**
 * Returns a GTIN as GTIN-14: a GTIN-8, -12 or -13 is the same number with fewer zeros in front. Undefined when the check
 * digit is wrong. All zeros would pass that check, but GS1 assigns no such number.
 */
export function normaliseGtin(text: string): string | undefined {
  if (!isGtinForm(text) || ALL_ZEROS.test(text) || !endsWithCheckDigit(text)) return undefined
  return text.padStart(14, '0')
}
