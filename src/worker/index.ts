export { startDelivery } from './delivery/index.ts'
export { eraseOrganisation } from './erase-organisation.ts'
export { startIndexing } from './indexing/index.ts'
export { startRetention } from './retention.ts'
