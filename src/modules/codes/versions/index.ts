export { type Owner, type OwnerRow, stateChanges } from './owner.ts'
export {
  countVersions,
  deleteOwnerVersions,
  deleteVersion,
  selectDue,
  selectFirstVersion,
  selectNextDue,
  selectScheduled,
  selectVersion,
  selectVersionAt,
  selectVersionBefore,
  selectVersions,
  type VersionRow,
} from './queries.ts'
export {
  type Cause,
  type ChangedOwner,
  type Extras,
  findRules,
  firstVersion,
  insertScheduled,
  loadExtras,
  recordVersion,
  recordVersions,
  storeRules,
  toState,
} from './service.ts'
export {
  FIRST_VERSION,
  type OwnerKind,
  type OwnerState,
  type ScheduledState,
  stateOf,
  type TargetSource,
} from './state.ts'
