export { eraseOrganisation } from './erase-organisation.ts'
export { erasePerson } from './erase-person.ts'
export { startErasing } from './erasing.ts'
export { startRetention } from './retention.ts'
