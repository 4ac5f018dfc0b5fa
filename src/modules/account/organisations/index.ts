export { OrganisationProfile, type RedirectStatus } from './contract.ts'
export { organisationRoutes } from './routes.ts'
export {
  createOrganisation,
  findOrganisationIds,
  findProfile,
  findRedirectStatus,
  getOrganisation,
  getOrganisationBySlug,
  getProfile,
  hasOrganisations,
  listDemoOrganisations,
  listDueForDeletion,
  listOrganisations,
  lockOrganisation,
  ORGANISATIONS_TOPIC,
  type Organisation,
  removeOrganisation,
  renameOrganisation,
  SLUGS_TOPIC,
  setDeletion,
  setLimits,
  updateProfile,
} from './service.ts'
