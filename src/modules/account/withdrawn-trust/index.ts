export { trustMails } from './mails.ts'
export { type TrustMails, withdrawTrust } from './service.ts'
