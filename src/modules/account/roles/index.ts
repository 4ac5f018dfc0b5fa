export { ROLES, type RoleName } from './contract.ts'
export { roleRoutes } from './routes.ts'
export { findRole, getRole, isLower, rolesWith, scopesOf } from './service.ts'
