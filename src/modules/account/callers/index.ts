export { type Caller, lockTeam } from './service.ts'
