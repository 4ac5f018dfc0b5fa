import { isSqlite, type Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { findDestinationUrls, toDestinationRef } from '../destinations/index.ts'
import type { ItemInput, ItemRow, Kind } from './kind.ts'
import { writeAll } from './write.ts'

export interface Changed<Row> {
  before: Row
  /** The same as before if nothing was to change. */
  after: Row
}

/**
 * Changes rows that exist, with the same effects as a PATCH of each. `decide` sees every row that still exists, locked, and
 * returns the fields to change, or undefined to leave it alone. Its input must be in its stored form, and what it refers to must
 * exist. Returns the rows that it has returned something for, by their ids.
 */
export async function changeById<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  ids: readonly string[],
  decide: (row: Row) => Partial<Input> | undefined,
): Promise<Map<string, Changed<Row>>> {
  const rows = await lockById(tx, ctx.orgId, kind, ids)
  const plans = rows.flatMap((before, index) => {
    // A row that exists keeps what is not sent, so it needs none of the fields that a new one must have.
    const input = decide(before) as Input | undefined
    return input === undefined ? [] : [{ index, sent: input, input, before, after: kind.change(before, input) }]
  })
  const destinations = plans.flatMap(({ after }) => toDestinationRef(after) ?? [])
  await writeAll(tx, ctx, kind, plans, await findDestinationUrls(tx, ctx.orgId, destinations))
  return new Map(plans.map(({ before, after }) => [before.id, { before, after }]))
}

async function lockById<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  orgId: OrgId,
  { rows }: Kind<Input, Row, Resource>,
  ids: readonly string[],
): Promise<Row[]> {
  const locked = isSqlite(tx) ? ids : [...(await rows.lockAllBy(tx, orgId, 'id', ids))]
  return locked.length === 0 ? [] : rows.selectAllBy(tx, orgId, 'id', locked)
}
