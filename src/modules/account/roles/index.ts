export { OWNERSHIP, ROLES, type RoleName } from './contract.ts'
export { roleRoutes } from './routes.ts'
export { findRole, getRole, scopesOf } from './service.ts'
