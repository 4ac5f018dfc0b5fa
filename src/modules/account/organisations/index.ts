export {
  createOrganisation,
  findOrganisationIds,
  getOrganisation,
  getOrganisationBySlug,
  hasOrganisations,
  listDemoOrganisations,
  listOrganisations,
  lockOrganisation,
  type Organisation,
  setLimits,
} from './service.ts'
