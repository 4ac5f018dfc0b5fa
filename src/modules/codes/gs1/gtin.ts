const FORM = /^(?:\d{8}|\d{12,14})$/
const ALL_ZEROS = /^0+$/

/** Whether a text has the format of a GTIN. The check digit may still be wrong. */
export const isGtinForm = (text: string): boolean => FORM.test(text)

/**
 * Returns a GTIN as GTIN-14: a GTIN-8, -12 or -13 is the same number with fewer zeros in front. Undefined when the check
 * digit is wrong. All zeros would pass that check, but GS1 assigns no such number.
 */
export function normaliseGtin(text: string): string | undefined {
  if (!isGtinForm(text) || ALL_ZEROS.test(text)) return undefined
  const gtin = text.padStart(14, '0')
  return checkDigit(gtin.slice(0, 13)) === gtin[13] ? gtin : undefined
}

/** Weighs the thirteen digits 3, 1, 3, … and returns the difference of the sum to the next multiple of ten. */
function checkDigit(body: string): string {
  let sum = 0
  for (let at = 0; at < body.length; at++) sum += Number(body[at]) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}
