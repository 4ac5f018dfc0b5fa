import english from '../../../../locales/en/answering.json' with { type: 'json' }
import { loadTexts } from '../../../platform/text/load-texts.ts'

export const TEXTS = loadTexts('answering', english)
