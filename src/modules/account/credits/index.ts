export { INSUFFICIENT_CREDITS } from './contract.ts'
export { creditRoutes } from './routes.ts'
export { setBalance } from './service.ts'
