import english from '../../../../locales/en/conversations.json' with { type: 'json' }
import { loadTexts } from '../../../platform/text/load-texts.ts'

export const NOTICE_TEXTS = loadTexts('conversations', english)
