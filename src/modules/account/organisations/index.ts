export {
  createOrganisation,
  findOrganisationIds,
  getOrganisation,
  getOrganisationBySlug,
  hasOrganisations,
  listOrganisations,
  type Organisation,
  setLimits,
} from './service.ts'
