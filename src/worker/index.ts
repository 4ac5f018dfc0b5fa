export { startDelivery } from './delivery/index.ts'
export { startRetention } from './retention.ts'
