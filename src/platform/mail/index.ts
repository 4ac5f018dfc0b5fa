export type { Letter, LetterSender } from './letter.ts'
export { CONNECTIONS_MAX } from './limits.ts'
export { Mailer, type MailSettings, RecipientRefused } from './mailer.ts'
