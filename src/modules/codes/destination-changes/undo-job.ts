import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type JobKind, type JobOutcome, type JobTarget, listChangedItems } from '../../account/jobs/index.ts'
import type { OwnerKind } from './contract.ts'
import { BEFORE_ALL } from './find-owners.ts'
import { findExisting, isSamePlace, leadOf, type Memo } from './lead.ts'
import { type ChangeOwners, OWNERS, type Owner, type PrepareOwners, type Redirection } from './owners.ts'

export interface UndoInput {
  /** The job that has made the change. */
  change_id: string
}

const PAGE_ITEMS = 100

/** Gives owners back what a change has replaced, in the order in which they were changed. */
export const undoJob = (prepare: PrepareOwners): JobKind<UndoInput> => ({
  kind: 'destination_change_undo',

  async nextPiece(ctx, { change_id }, place) {
    const items = await listChangedItems(ctx.readLong, ctx.orgId, change_id, place ?? BEFORE_ALL, PAGE_ITEMS)
    const kind = items[0]?.target_kind as OwnerKind | undefined
    if (kind === undefined) return { targets: [], end: null, apply: async () => [] }
    // A piece is about one kind.
    const other = items.findIndex(({ target_kind }) => target_kind !== kind)
    const some = items.slice(0, Math.min(other === -1 ? items.length : other, OWNERS[kind].pieceMax))
    const hasMore = some.length < items.length || items.length === PAGE_ITEMS
    const change = (await prepare(ctx.orgId))[kind]
    return {
      targets: some.map(({ id, target_id, name, memo }) => ({ kind, id: target_id, name, place: id, memo })),
      end: hasMore ? (some.at(-1)?.id ?? null) : null,
      apply: (tx, ctx, targets) => apply(tx, ctx, change, targets),
    }
  },
})

async function apply(tx: Tx, ctx: Context, change: ChangeOwners, targets: readonly JobTarget[]): Promise<JobOutcome[]> {
  const memos = new Map(targets.map(({ id, memo }) => [id, memo as Memo]))
  const leads = [...memos.values()].map(({ before }) => before)
  const exists = await findExisting(tx, ctx.orgId, leads)
  const found = new Map<string, Found>()
  await change(tx, ctx, [...memos.keys()], (owner) => {
    const memo = memos.get(owner.id) as Memo
    const outcome = outcomeOf(owner, memo, exists(memo.before))
    found.set(owner.id, { name: owner.name, ...outcome })
    return outcome.result === 'changed' ? backTo(memo, owner) : undefined
  })
  return targets.map(({ kind, id, name }) => ({ kind, id, ...(found.get(id) ?? { name, ...DELETED }) }))
}

type Found = Pick<JobOutcome, 'name' | 'result' | 'reason'>

const DELETED = { result: 'skipped', reason: 'deleted' } as const

function outcomeOf(owner: Owner, { before, after }: Memo, doesExist: boolean): Pick<JobOutcome, 'result' | 'reason'> {
  const current = leadOf(owner)
  if (isSamePlace(current, before)) return { result: 'unchanged' }
  if (!isSamePlace(current, after)) return { result: 'skipped', reason: 'changed_since' }
  return doesExist ? { result: 'changed' } : { result: 'skipped', reason: 'destination_missing' }
}

/** A status that somebody has set since stays. */
function backTo({ before, after }: Memo, { status }: Owner): Redirection {
  const { destination, articleId } = before
  const isUntouched = before.status !== null && status === after.status
  const restored = isUntouched ? before.status : status
  return {
    destination,
    destination_article_id: articleId,
    ...(restored != null && { status: restored }),
  }
}
