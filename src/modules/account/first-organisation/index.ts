export { countFirstRows, createFirstOrganisation } from './service.ts'
