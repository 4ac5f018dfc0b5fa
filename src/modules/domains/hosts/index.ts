export { HostRouter } from './router.ts'
export { mountTlsAsk } from './tls-ask.ts'
