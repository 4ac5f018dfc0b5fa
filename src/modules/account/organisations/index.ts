export { OrganisationProfile } from './contract.ts'
export { organisationRoutes } from './routes.ts'
export {
  createOrganisation,
  findOrganisationIds,
  getOrganisation,
  getOrganisationBySlug,
  getProfile,
  hasOrganisations,
  listDueForDeletion,
  listOrganisations,
  lockOrganisation,
  type Organisation,
  SLUGS_TOPIC,
  setDeletion,
  setLimits,
} from './service.ts'
