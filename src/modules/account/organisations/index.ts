export {
  createOrganisation,
  findOrganisationIds,
  getOrganisation,
  getOrganisationBySlug,
  hasOrganisations,
  listOrganisations,
  lockOrganisation,
  type Organisation,
  setLimits,
} from './service.ts'
