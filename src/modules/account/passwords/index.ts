export { passwordMails } from './mails.ts'
export { Passwords } from './service.ts'
