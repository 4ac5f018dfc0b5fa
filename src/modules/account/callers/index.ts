export { findLostRight } from './lost-rights.ts'
export { type Caller, lockTeam } from './service.ts'
