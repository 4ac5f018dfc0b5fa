export { countFirstRows, createFirstOrganisation, findOwnerCommand } from './service.ts'
