const FORM = /^(?:\d{8}|\d{12,14})$/
const NOTHING = /^0+$/

/** Whether a text looks like a GTIN. A wrong check digit is a typing error; anything else was never a GTIN. */
export const isGtinForm = (text: string): boolean => FORM.test(text)

/**
 * The one spelling of a trade item number, GTIN-14: a GTIN-8, -12 or -13 is the same number with zeros before it.
 * Undefined when the check digit is wrong. All zeros would pass that check, yet nobody was ever given that number.
 */
export function normaliseGtin(text: string): string | undefined {
  if (!isGtinForm(text) || NOTHING.test(text)) return undefined
  const gtin = text.padStart(14, '0')
  return checkDigit(gtin.slice(0, 13)) === gtin[13] ? gtin : undefined
}

/** Of thirteen digits: threefold, single, threefold and so on, and what is missing to the next ten. */
function checkDigit(body: string): string {
  let sum = 0
  for (let at = 0; at < body.length; at++) sum += Number(body[at]) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}
