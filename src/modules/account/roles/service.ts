import { ROLES, type Role, type RoleName } from './contract.ts'

const byId = new Map(ROLES.map((role) => [role.id, role]))
const byName = new Map(ROLES.map((role) => [role.name, role]))
const scopesByName = new Map(ROLES.map(({ name, permissions }) => [name, new Set(permissions)]))

export const findRole = (id: string): Role | undefined => byId.get(id)

export const getRole = (name: RoleName): Role => byName.get(name) as Role

/** Whether the first of these roles may do less. */
export const isLower = (role: RoleName, than: RoleName): boolean =>
  ROLES.indexOf(getRole(role)) > ROLES.indexOf(getRole(than))

/** The scopes that a member with this role has. */
export const scopesOf = (name: RoleName): ReadonlySet<string> => scopesByName.get(name) as ReadonlySet<string>

/** The roles that have a scope. */
export const rolesWith = (scope: string): RoleName[] =>
  ROLES.filter(({ permissions }) => permissions.includes(scope)).map(({ name }) => name)
