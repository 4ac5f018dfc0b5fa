import { isSqlite, type Tx } from '../../../platform/db/index.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import {
  destinationKey,
  findDestinationUrls,
  findKnowledgeBases,
  impliedDestination,
  toDestinationRef,
  unknownDestination,
} from '../destinations/index.ts'
import type { ItemInput, ItemPlan, ItemRow, Kind } from './kind.ts'
import { pauseBetween } from './pause.ts'

/** Each entry is a row of its own: more of them would keep other organisations waiting for the writer. */
const ENTRIES_MAX = 20_000

interface Planned<Input, Row> {
  plans: ItemPlan<Input, Row>[]
  /** The keys are the positions of the items. */
  errors: Map<number, ApiError>
  /** The addresses of destinations, by `destinationKey`. */
  urls: ReadonlyMap<string, string>
}

/** Decides what becomes of each item, or why nothing does. Locks the rows that exist, and changes nothing. */
export async function planAll<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  inputs: readonly Input[],
): Promise<Planned<Input, Row>> {
  limitEntries(inputs)
  await kind.lock?.(tx, ctx.orgId, inputs)
  const errors = new Map<number, ApiError>()
  const bases = await findKnowledgeBases(tx, ctx.orgId, inputs)
  const items = normaliseAll(kind, inputs, bases, errors)
  await pauseBetween(tx, inputs)
  const keys = items.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const known = await lockByKey(tx, ctx.orgId, kind, keys)
  const plans = items.map(({ key, ...item }): ItemPlan<Input, Row> => {
    const before = key === undefined ? undefined : known.get(key)
    const row = before ?? kind.toNewRow(item.input, newId(), ctx.now)
    return { ...item, before, after: before === undefined ? row : kind.change(row, item.input) }
  })
  await pauseBetween(tx, inputs)
  for (const [index, error] of await kind.check(tx, ctx.orgId, plans)) errors.set(index, error)
  const urls = await findDestinationUrls(
    tx,
    ctx.orgId,
    plans.flatMap(({ after }) => toDestinationRef(after) ?? []),
  )
  for (const { index, input } of plans) {
    const { destination } = input
    if (destination != null && !urls.has(destinationKey(destination)))
      errors.set(index, unknownDestination(destination))
  }
  return { plans, errors, urls }
}

function limitEntries(inputs: readonly ItemInput[]): void {
  let entries = 0
  for (const { properties = [], url_params = [] } of inputs) entries += properties.length + url_params.length
  if (entries > ENTRIES_MAX)
    throw invalidPayload({}, [`Must have at most ${ENTRIES_MAX} properties and URL params in all`])
}

/** The key of an item is undefined if it has none: it is then always new. */
function normaliseAll<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  kind: Kind<Input, Row, Resource>,
  inputs: readonly Input[],
  bases: ReadonlyMap<string, string>,
  errors: Map<number, ApiError>,
) {
  const seen = new Set<string>()
  return inputs.flatMap((sent, index) => {
    try {
      const input = { ...kind.normalise(sent), ...impliedDestination(sent, bases) }
      const key = (input[kind.keyField] as string | null | undefined) ?? undefined
      if (key !== undefined && seen.has(key))
        throw invalidPayload({ [kind.keyField]: [`An item before this one has the same ${kind.keyField}`] })
      if (key !== undefined) seen.add(key)
      return [{ index, sent, input, key }]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors.set(index, error)
      return []
    }
  })
}

async function lockByKey<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  orgId: OrgId,
  { rows, keyField }: Kind<Input, Row, Resource>,
  keys: readonly string[],
): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map()
  const locked = isSqlite(tx) ? undefined : await rows.lockAllBy(tx, orgId, keyField, keys)
  if (locked?.size === 0) return new Map()
  const found = await rows.selectAllBy(tx, orgId, keyField, keys)
  // One that is not locked has got its key after we had looked for it. Its unique index refuses a second one.
  const ours = locked === undefined ? found : found.filter(({ id }) => locked.has(id))
  return new Map(ours.map((row) => [row[keyField] as string, row]))
}
