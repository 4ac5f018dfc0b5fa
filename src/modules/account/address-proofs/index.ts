export { addressMails } from './mails.ts'
export { AddressProofs } from './service.ts'
