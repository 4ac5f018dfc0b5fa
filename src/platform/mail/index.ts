export type { Letter } from './letter.ts'
export { CONNECTIONS_MAX, Mailer, type MailSettings, RecipientRefused, SEND_MS_MAX } from './mailer.ts'
