import { fill } from '../../../../platform/text/fill.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import type { SubmissionRow } from '../queries.ts'
import { RECEIPT_TEXTS } from './texts.ts'

type Reported = Pick<SubmissionRow, 'number' | 'scanned_name' | 'scanned_external_id' | 'language'>

/** What the receipt is called: by the thing, or by the organisation if nothing with a name was scanned. */
export function receiptTitle(
  { number, scanned_name, scanned_external_id, language }: Reported,
  organisation: string,
): string {
  const { title, titleAlone } = RECEIPT_TEXTS[interfaceLanguageFor(language ?? 'en') ?? 'en']
  const thing = scanned_name ?? scanned_external_id
  return thing === null ? fill(titleAlone, { number, organisation }) : fill(title, { number, thing })
}

/** A public slug is longer, so no page is at this address. */
export const RECEIPT_PATH = '/p/receipt/'

export const receiptPath = (token: string): string => RECEIPT_PATH + token
