export { startDelivery } from './delivery/index.ts'
export { startIndexing } from './indexing/index.ts'
export { startMail } from './mail/index.ts'
export { startRetention } from './retention.ts'
