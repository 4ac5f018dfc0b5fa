export { emailMails } from './mails.ts'
export { changeEmail, EmailChanges } from './service.ts'
