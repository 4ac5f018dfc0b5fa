import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { JobKind, JobOutcome, JobTarget } from '../../account/jobs/index.ts'
import { kindsOf, type OwnerKind } from './contract.ts'
import { BEFORE_ALL, findNextOwners, isWanted, type Wanted } from './find-owners.ts'
import { findExisting, leadOf, type Memo } from './lead.ts'
import { type ChangeOwners, OWNERS, type PrepareOwners } from './owners.ts'

/** Lets owners lead somewhere else, kind by kind, in the order of their ids. */
export const changeJob = (prepare: PrepareOwners): JobKind<Wanted> => ({
  kind: 'destination_change',

  async nextPiece(ctx, wanted, place) {
    const kinds = kindsOf(wanted.filter)
    const [kind, after] = place === null ? [kinds[0] as OwnerKind, BEFORE_ALL] : fromPlace(place)
    const change = (await prepare(ctx.orgId))[kind]
    const { owners, last } = await findNextOwners(ctx.readLong, ctx.orgId, kind, wanted, after, OWNERS[kind].pieceMax)
    const next = kinds[kinds.indexOf(kind) + 1]
    const nextPlace = next === undefined ? null : toPlace(next, BEFORE_ALL)
    return {
      targets: owners.map(({ id, name }) => ({ kind, id, name, place: toPlace(kind, id) })),
      end: last === null ? nextPlace : toPlace(kind, last),
      apply: (tx, ctx, targets) => apply(tx, ctx, change, wanted, targets),
    }
  },
})

async function apply(
  tx: Tx,
  ctx: Context,
  change: ChangeOwners,
  wanted: Wanted,
  targets: readonly JobTarget[],
): Promise<JobOutcome[]> {
  if (targets.length === 0) return []
  const lead = { destination: wanted.to, articleId: null, status: null }
  const exists = await findExisting(tx, ctx.orgId, [lead])
  if (!exists(lead))
    return targets.map(({ kind, id, name }) => ({ kind, id, name, result: 'skipped', reason: 'destination_missing' }))
  const kinds = new Map(targets.map(({ id, kind }) => [id, kind]))
  const changed = await change(tx, ctx, [...kinds.keys()], (owner) =>
    isWanted(wanted, owner) ? { destination: wanted.to } : undefined,
  )
  return [...changed].map(([id, { before, after }]) => ({
    kind: kinds.get(id) as string,
    id,
    name: before.name,
    result: 'changed',
    memo: { before: leadOf(before), after: leadOf(after) } satisfies Memo,
  }))
}

const toPlace = (kind: OwnerKind, id: string): string => `${kind} ${id}`

const fromPlace = (place: string): [OwnerKind, string] => place.split(' ') as [OwnerKind, string]
