import english from '../../../../locales/en/mails.json' with { type: 'json' }
import { loadTexts, type TextsOf } from '../../../platform/text/load-texts.ts'

type MailTexts = TextsOf<typeof english>
export type MailKind = keyof MailTexts['kinds']
export type FactName = keyof MailTexts['facts']

export const MAIL_TEXTS = loadTexts('mails', english)
