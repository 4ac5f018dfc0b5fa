import { isDeepStrictEqual } from 'node:util'
import {
  type DestinationRef,
  type Status,
  type TargetDestinationColumns,
  toDestinationRef,
} from '../destinations/index.ts'

/** What has versions: everything that leads somewhere. */
export type OwnerKind = 'qr_code' | 'qr_group' | 'object' | 'product'

/** The columns of an owner that say where it leads. */
export interface TargetSource extends TargetDestinationColumns {
  id: string
  status: Status
  group_id?: string | null
  object_id?: string | null
  /** Which of its documents of rules counts. Null if it has no rules. */
  rules_version: number | null
  /** The number of the version that is in effect. */
  version: number
  /** How many versions of the future it has. */
  scheduled_count: number
}

/** Where an owner leads, as a version keeps it. */
export interface OwnerState {
  status: Status
  destination: DestinationRef | null
  destination_article_id: string | null
  group_id: string | null
  object_id: string | null
  rules_version: number | null
}

/** What a version of the future changes. Fields that are left out stay as they are by then. */
export type ScheduledState = Partial<Pick<OwnerState, 'status' | 'destination' | 'rules_version'>>

/** New rows begin with this. */
export const FIRST_VERSION = { rules_version: null, version: 1, scheduled_count: 0 } as const

export const stateOf = (source: TargetSource): OwnerState => ({
  status: source.status,
  destination: toDestinationRef(source),
  destination_article_id: source.destination_article_id,
  group_id: source.group_id ?? null,
  object_id: source.object_id ?? null,
  rules_version: source.rules_version,
})

export const isSameState = (one: TargetSource, other: TargetSource): boolean =>
  isDeepStrictEqual(stateOf(one), stateOf(other))
