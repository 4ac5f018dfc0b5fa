import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { settleState, toDestination, toDestinationColumns } from '../destinations/index.ts'
import {
  type Owner,
  type OwnerRow,
  type OwnerState,
  type ScheduledState,
  selectScheduled,
  stateOf,
  toState,
  type VersionRow,
} from '../versions/index.ts'
import type { VersionSummary } from './contract.ts'
import { summarise } from './words.ts'

/** The same rules as for a request: a destination sets up what was not, for example. */
export function applyChange(state: OwnerState, { destination, status, rules_version }: ScheduledState): OwnerState {
  const columns = { ...toDestinationColumns(state.destination), destination_article_id: state.destination_article_id }
  const settled = settleState({ destination, status }, { ...columns, status: state.status })
  return {
    ...state,
    status: settled.status,
    destination: destination === undefined ? state.destination : destination,
    destination_article_id: settled.destination_article_id,
    rules_version: rules_version === undefined ? state.rules_version : rules_version,
  }
}

/** How the versions of one owner are shown: those of the future as they will be if nothing else changes. */
export class Shown<Row extends OwnerRow> {
  readonly #current: number
  readonly #expected = new Map<number, { before: OwnerState; after: OwnerState }>()

  constructor(owner: Owner<Row>, row: Row, scheduled: readonly VersionRow[]) {
    const source = owner.toSource(row)
    this.#current = source.version
    let before = stateOf(source)
    for (const { version, change } of scheduled) {
      const after = applyChange(before, change as ScheduledState)
      this.#expected.set(version, { before, after })
      before = after
    }
  }

  static async load<Row extends OwnerRow>(db: Db, orgId: OrgId, owner: Owner<Row>, row: Row): Promise<Shown<Row>> {
    return new Shown(owner, row, row.scheduled_count === 0 ? [] : await selectScheduled(db, orgId, [row.id]))
  }

  summarise(row: VersionRow, previous: VersionRow | null): VersionSummary {
    const expected = this.#expected.get(row.version)
    const after = expected?.after ?? (toState(row) as OwnerState)
    const before = expected?.before ?? (previous && toState(previous))
    return {
      object: 'version',
      version: row.version,
      status: row.state === null ? 'scheduled' : row.version === this.#current ? 'current' : 'past',
      cause: row.cause,
      summary: summarise(before, after),
      changes: before === null ? null : (changesOf(toShownState(before), toShownState(after)) ?? {}),
      actor:
        row.actor_kind === null ? null : { type: row.actor_kind, id: row.actor_id, name: row.actor_name as string },
      effective_at: row.effective_at,
      created_at: row.created_at,
      state: toShownState(after),
    }
  }
}

const toShownState = ({ destination, ...state }: OwnerState): VersionSummary['state'] => ({
  ...state,
  destination: toDestination(toDestinationColumns(destination)),
})
