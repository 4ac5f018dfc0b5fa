export { emailMails } from './mails.ts'
export { EmailChanges, type EmailConfirmResult } from './service.ts'
export { replaceEmail } from './store.ts'
