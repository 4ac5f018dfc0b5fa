import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import type { SentDestination, TargetDestinationColumns } from '../destinations/index.ts'
import type { SentLists } from '../key-values/index.ts'
import type { TargetSetup, TargetSource } from '../scan-targets/index.ts'
import type { ScanCounters } from '../target-tables/index.ts'
import type { OwnerKind } from '../versions/index.ts'

/** What the items of every kind have in common. */
export type ItemInput = SentLists & SentDestination

export interface ItemRow extends TargetDestinationColumns, ScanCounters {
  id: string
  version: number
  created_at: string
  updated_at: string
}

/** What is to become of one item. */
export interface ItemPlan<Input, Row> {
  /** Its position in the request. */
  readonly index: number
  readonly sent: Input
  /** The input in its stored form. */
  readonly input: Input
  /** Undefined if the item is new. */
  readonly before: Row | undefined
  readonly after: Row
}

/** A new row that has no address yet. */
export interface Draft<Row> {
  /** The position of its item in the request. */
  readonly index: number
  readonly row: Row
  readonly setup: TargetSetup
}

/** Some items cannot be done, so nothing is. The keys are their positions. */
export class ItemsRefused extends Error {
  readonly errors: ReadonlyMap<number, ApiError>
  constructor(errors: ReadonlyMap<number, ApiError>) {
    super('items were refused')
    this.errors = errors
  }
}

/** How a request creates or changes QR codes, objects or products by the ID that the customer gave them. */
export interface Kind<Input extends ItemInput, Row extends ItemRow, Resource extends object> {
  /** The value of the `object` field, and the beginning of the names of its events. */
  readonly object: OwnerKind
  readonly events: EventCatalogue
  /** The field that says which resource an item is about. */
  readonly keyField: keyof Row & keyof Input & string
  /** The indexes that refuse a value which another request has just taken. */
  readonly uniqueIndexes: readonly string[]
  readonly rows: {
    selectAllBy(db: Db, orgId: OrgId, column: keyof Row & string, values: readonly string[]): Promise<Row[]>
    lockAllBy(tx: Tx, orgId: OrgId, column: keyof Row & string, values: readonly string[]): Promise<Set<string>>
  }
  /** Locks what the decisions about these items depend on, before anything is read. */
  lock?(tx: Tx, orgId: OrgId, inputs: readonly Input[]): Promise<void>
  /** Returns an item in its stored form. Throws an `ApiError` if it has none. */
  normalise(input: Input): Input
  toNewRow(input: Input, id: string, now: Timestamp): Row
  change(row: Row, input: Input): Row
  toResource(row: Row): Resource
  toSource(row: Row): TargetSource
  /** Finds what is wrong with items that only the database can tell. */
  check(tx: Tx, orgId: OrgId, plans: readonly ItemPlan<Input, Row>[]): Promise<Map<number, ApiError>>
  /**
   * Claims public addresses for new rows, and publishes the setups under them. Returns the rows with their addresses, in the
   * order of the drafts. Throws `ItemsRefused` if one is taken.
   */
  claim(tx: Tx, orgId: OrgId, drafts: readonly Draft<Row>[]): Promise<Row[]>
  insert(tx: Tx, orgId: OrgId, rows: readonly Row[]): Promise<void>
  update(tx: Tx, orgId: OrgId, rows: readonly Row[]): Promise<void>
  /** The key of the address that `claim` has claimed. */
  claimedKeys(row: Row): string[]
  /** All other keys under which scans find it. */
  otherKeys(orgId: OrgId, row: Row): string[]
}
