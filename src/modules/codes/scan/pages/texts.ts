import english from '../../../../../locales/en/scan-notices.json' with { type: 'json' }
import { loadTexts, type TextsOf } from '../../../../platform/text/load-texts.ts'

export type NoticeKind = keyof TextsOf<typeof english>

export const TEXTS = loadTexts('scan-notices', english)
