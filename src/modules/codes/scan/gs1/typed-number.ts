import { NUMBER_FIELD } from '../../../../platform/notices/index.ts'
import { digitalLinkPath, normaliseGtin } from '../../gs1/index.ts'

const ORGANISATION = /^\/g\/[a-z0-9-]{1,63}(?=\/)/
/** Marks between groups of digits, also those of right-to-left text that come with a copied number. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}]/gu

/**
 * The path of the product whose number a visitor has typed at the notice of a malformed link, of the same organisation.
 * Undefined without a valid number.
 */
export function toTypedLink(path: string, search: string): string | undefined {
  const typed = new URLSearchParams(search).get(NUMBER_FIELD)
  const gtin = typed === null ? undefined : normaliseGtin(toAscii(typed))
  return gtin && (ORGANISATION.exec(path)?.[0] ?? '') + digitalLinkPath(gtin)
}

/** Keyboards also have full-width and Arabic digits. */
const toAscii = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(SEPARATORS, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
