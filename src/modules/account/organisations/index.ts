export {
  createOrganisation,
  findOrganisationIds,
  getOrganisation,
  getOrganisationBySlug,
  hasOrganisations,
  listOrganisations,
  type Organisation,
  setRateCaps,
} from './service.ts'
