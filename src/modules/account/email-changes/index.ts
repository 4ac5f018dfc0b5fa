export { emailMails } from './mails.ts'
export { EmailChanges } from './service.ts'
export { replaceEmail } from './store.ts'
