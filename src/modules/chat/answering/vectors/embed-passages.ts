import { createHash } from 'node:crypto'
import { SECOND_MS, type Timestamp, timestamp } from '../../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { DIMENSIONS_MAX, quantise, toText } from './quantise.ts'
import {
  countVectors,
  deleteUnusedVectors,
  lockDueProgress,
  lockLeasedProgress,
  type NewVector,
  type Progress,
  selectNextPassages,
  selectPassageTexts,
  selectVectorsByHash,
  updateProgress,
  upsertVectors,
} from './queries.ts'

/**
 * A worker walks through the passages of an organisation and computes the vectors that are missing, some in each turn.
 * `due_at` is when a worker should go on. A claim sets it to the end of the lease, so the organisation becomes due again if
 * the worker dies. At the end of a walk, vectors that nothing uses are deleted, and the organisation is not due any more,
 * unless passages have changed meanwhile: then another walk begins.
 */

/** More passages of an organisation have no vectors: all of them are compared with every question. */
export const VECTORS_MAX = 5000
/** Longer than any request for vectors may take. */
const LEASE_MS = 90 * SECOND_MS
const BATCH = 32
/** Passages that are looked at in one turn. */
const WINDOW = 1000
/** A model reads some hundred words. What a passage is about is clear by then. */
const TEXT_LENGTH_MAX = 3000
const UNUSED_DELETED = 500
const RETRY_MS = 30 * SECOND_MS
const RETRY_MS_MAX = 3600 * SECOND_MS

/** Returns a vector for each text. */
type Embed = (texts: readonly string[]) => Promise<number[][]>

export interface VectorClaim extends Progress {
  orgId: OrgId
  model: string
  lease: Timestamp
}

/** Leases an organisation. */
export async function claimVectors(
  tx: Tx,
  orgId: OrgId,
  model: string,
  nowMs: number,
): Promise<VectorClaim | undefined> {
  const progress = await lockDueProgress(tx, orgId, timestamp(nowMs))
  if (progress === undefined) return undefined
  const lease = timestamp(nowMs + LEASE_MS)
  const isStart = progress.after_id === 0
  await updateProgress(tx, orgId, { due_at: lease, ...(isStart && { is_changed: false }) })
  return { ...progress, orgId, model, lease }
}

/** What a turn stores. */
interface VectorBatch {
  vectors: NewVector[]
  /** The last passage that was looked at. */
  afterId: number
  isEnd: boolean
}

/** Computes the next vectors. After a failure one at a time, so that one text cannot hold up the others. */
export async function prepareVectors(db: Db, claim: VectorClaim, embed: Embed): Promise<VectorBatch> {
  const { orgId, model, after_id, attempts } = claim
  const room = VECTORS_MAX - (await countVectors(db, orgId, model))
  const next = await selectNextPassages(db, orgId, model, after_id, WINDOW)
  const missing = next.filter(({ has_vector }) => !has_vector)
  const batch = missing.slice(0, Math.min(attempts > 0 ? 1 : BATCH, Math.max(0, room)))
  const isComplete = batch.length === missing.length || room <= 0
  const vectors = batch.length === 0 ? [] : await toVectors(db, claim, batch, embed)
  const last = isComplete ? next.at(-1) : batch.at(-1)
  return { vectors, afterId: last?.id ?? after_id, isEnd: isComplete && (next.length < WINDOW || room <= 0) }
}

async function toVectors(
  db: Db,
  { orgId, model }: VectorClaim,
  passages: readonly { id: number }[],
  embed: Embed,
): Promise<NewVector[]> {
  const rows = await selectPassageTexts(
    db,
    orgId,
    passages.map(({ id }) => id),
  )
  const texts = rows.map(({ id, title, headings, plain }) => {
    const text = [title, ...(JSON.parse(headings) as string[]), plain]
      .join('\n')
      .slice(0, TEXT_LENGTH_MAX)
      .toWellFormed()
    return { id, text, hash: createHash('sha256').update(text).digest('base64url') }
  })
  if (texts.length === 0) return []
  const hashes = texts.map(({ hash }) => hash)
  const known = new Map(
    (await selectVectorsByHash(db, orgId, model, hashes)).map(({ content_hash, vector }) => [content_hash, vector]),
  )
  const fresh = [...new Map(texts.filter(({ hash }) => !known.has(hash)).map((one) => [one.hash, one])).values()]
  if (fresh.length > 0) {
    const vectors = await embed(fresh.map(({ text }) => text))
    for (const [index, { hash }] of fresh.entries()) {
      const vector = vectors[index] ?? []
      if (vector.length > DIMENSIONS_MAX) throw new Error(`a vector has more than ${DIMENSIONS_MAX} dimensions`)
      known.set(hash, toText(quantise(vector)))
    }
  }
  return texts.map(({ id, hash }) => ({ passage_id: id, content_hash: hash, vector: known.get(hash) ?? '' }))
}

/** Stores a batch, unless the lease has ended. */
export async function storeVectors(tx: Tx, claim: VectorClaim, batch: VectorBatch, now: Timestamp): Promise<void> {
  const { orgId, model, lease } = claim
  const progress = await lockLeasedProgress(tx, orgId, lease)
  if (progress === undefined) return
  if (batch.vectors.length > 0) await upsertVectors(tx, orgId, model, batch.vectors)
  if (!batch.isEnd) {
    await updateProgress(tx, orgId, { due_at: now, after_id: batch.afterId, attempts: 0 })
    return
  }
  const hasMore = (await deleteUnusedVectors(tx, orgId, model, UNUSED_DELETED)) === UNUSED_DELETED
  if (hasMore) await updateProgress(tx, orgId, { due_at: now, after_id: batch.afterId, attempts: 0 })
  else await updateProgress(tx, orgId, { model, due_at: progress.is_changed ? now : null, after_id: 0, attempts: 0 })
}

/** Tries again later. A single text that the endpoint does not take is left out. */
export async function failVectors(tx: Tx, claim: VectorClaim, isOfText: boolean, nowMs: number): Promise<void> {
  const { orgId, model, lease, attempts, after_id } = claim
  if ((await lockLeasedProgress(tx, orgId, lease)) === undefined) return
  if (isOfText && attempts > 0) {
    const next = await selectNextPassages(tx, orgId, model, after_id, WINDOW)
    const refused = next.find(({ has_vector }) => !has_vector)
    await updateProgress(tx, orgId, { due_at: timestamp(nowMs), after_id: refused?.id ?? after_id, attempts: 0 })
    return
  }
  const retryMs = isOfText ? 0 : Math.min(RETRY_MS * 2 ** attempts, RETRY_MS_MAX)
  await updateProgress(tx, orgId, { due_at: timestamp(nowMs + retryMs), attempts: attempts + 1 })
}
