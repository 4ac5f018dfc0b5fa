import english from '../../../locales/en/notices.json' with { type: 'json' }
import { loadTexts, type TextsOf } from '../text/load-texts.ts'

export type Labels = TextsOf<typeof english>

export const LABELS = loadTexts('notices', english)
