import { fill } from '../../../../platform/text/fill.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import type { SubmissionRow } from '../queries.ts'
import { RECEIPT_TEXTS } from './texts.ts'

type Reported = Pick<SubmissionRow, 'number' | 'qr_code_id' | 'scanned_name' | 'language'>

/**
 * What the receipt is called: by the product or object, or by the organisation if none with a name was scanned. The name of a code
 * and IDs are notes of their owner.
 */
export function receiptTitle({ number, qr_code_id, scanned_name, language }: Reported, organisation: string): string {
  const { title, titleAlone } = RECEIPT_TEXTS[interfaceLanguageFor(language ?? 'en') ?? 'en']
  const thing = qr_code_id === null ? scanned_name : null
  return thing === null ? fill(titleAlone, { number, organisation }) : fill(title, { number, thing })
}

/** A public slug is longer, so no page is at this address. */
export const RECEIPT_PATH = '/p/receipt/'

export const receiptPath = (token: string): string => RECEIPT_PATH + token
