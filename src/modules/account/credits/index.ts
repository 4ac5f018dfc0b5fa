export { INSUFFICIENT_CREDITS } from './contract.ts'
export { creditMails } from './mails.ts'
export { creditRoutes } from './routes.ts'
export { Credits, requireCredits, setBalance } from './service.ts'
