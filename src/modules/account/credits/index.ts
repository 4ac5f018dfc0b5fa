export { INSUFFICIENT_CREDITS } from './contract.ts'
export { creditMails } from './mails.ts'
export { creditRoutes } from './routes.ts'
export { Credits, grantCredits, listWithoutCredits, setBalance, setUnlimited } from './service.ts'
