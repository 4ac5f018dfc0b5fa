import english from '../../../../../locales/en/linkset.json' with { type: 'json' }
import { loadTexts, type TextsOf } from '../../../../platform/text/load-texts.ts'

export type Texts = TextsOf<typeof english>

export const TEXTS = loadTexts('linkset', english)
