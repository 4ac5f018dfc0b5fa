import english from '../../../../../locales/en/receipts.json' with { type: 'json' }
import { loadTexts, type TextsOf } from '../../../../platform/text/load-texts.ts'

export type ReceiptTexts = TextsOf<typeof english>

export const RECEIPT_TEXTS = loadTexts('receipts', english)
