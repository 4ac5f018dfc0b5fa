import type { Timestamp } from '../../../platform/clock/index.ts'
import { batchesOf, lockRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectIdsByName } from './queries.ts'
import {
  type AssetOwner,
  clearUnreferenced,
  deleteReferences,
  insertReferences,
  selectReferences,
  selectReferencesOf,
  setUnreferenced,
} from './reference-queries.ts'
import { deleteAssets } from './removals.ts'
import { mentionAssets, namesIn } from './stored-name.ts'

/** A statement takes a limited number of parameters. */
const STATEMENT_NAMES_MAX = 500

type Texts = readonly (string | null | undefined)[]

interface TextOptions {
  /** The texts that these replace. If neither name an asset, no statement runs. */
  before?: Texts
  /** Whether earlier texts of the owner remain, such as versions. Their assets are then kept as well. */
  keepsEarlier?: boolean
}

/**
 * Makes the assets whose URLs are in the texts the ones that the owner refers to. Only public ones of its own organisation
 * count. Call it in the transaction that changes the texts, when the owner is locked.
 */
export async function setAssetReferences(
  tx: Tx,
  orgId: OrgId,
  owner: AssetOwner,
  texts: Texts,
  now: Timestamp,
  { before, keepsEarlier = false }: TextOptions = {},
): Promise<void> {
  const isMentioned = mentionAssets(texts)
  if (!isMentioned && (keepsEarlier || (before !== undefined && !mentionAssets(before)))) return
  const names = isMentioned ? namesIn(texts) : []
  const wanted: string[] = []
  for (const some of batchesOf(names, STATEMENT_NAMES_MAX)) wanted.push(...(await selectIdsByName(tx, orgId, some)))
  await addAssetReferences(tx, orgId, owner, wanted)
  if (keepsEarlier) return
  const current = new Set(await selectReferences(tx, orgId, owner))
  await drop(tx, orgId, owner.kind, [owner.id], [...current.difference(new Set(wanted))], now)
}

/** Adds references to assets, also to private ones. Returns the ids of those that exist. */
export async function addAssetReferences(
  tx: Tx,
  orgId: OrgId,
  owner: AssetOwner,
  assetIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const current = await selectReferences(tx, orgId, owner)
  // The lock makes a deletion wait, and one that was faster has taken the row away.
  const existing = await lockRows(tx, orgId, 'assets', [...new Set(assetIds)], 'change')
  const added = [...existing.difference(new Set(current))]
  if (added.length > 0) {
    await clearUnreferenced(tx, orgId, added)
    await insertReferences(tx, orgId, owner, added)
  }
  return existing
}

/** Removes all references of owners that are being deleted. */
export async function removeAssetReferences(
  tx: Tx,
  orgId: OrgId,
  kind: string,
  ownerIds: readonly string[],
  now: Timestamp,
): Promise<void> {
  await drop(tx, orgId, kind, ownerIds, await selectReferencesOf(tx, orgId, kind, ownerIds), now)
}

/**
 * Removes an owner's references to the assets with these names, which exist only for it: one that nothing else uses, and
 * that nobody uploaded, is deleted at once, so that its storage can be used again.
 */
export async function releaseAssets(
  tx: Tx,
  orgId: OrgId,
  { kind, id }: AssetOwner,
  names: readonly string[],
  now: Timestamp,
): Promise<void> {
  if (names.length === 0) return
  const assetIds = await selectIdsByName(tx, orgId, names)
  if (assetIds.length === 0) return
  await drop(tx, orgId, kind, [id], assetIds, now)
  await deleteAssets(tx, orgId, assetIds, now, { withUploads: false })
}

async function drop(
  tx: Tx,
  orgId: OrgId,
  kind: string,
  ownerIds: readonly string[],
  assetIds: readonly string[],
  now: Timestamp,
): Promise<void> {
  if (assetIds.length === 0) return
  // First, so that another transaction cannot add a reference between the deletion and the check.
  await lockRows(tx, orgId, 'assets', assetIds, 'change')
  await deleteReferences(tx, orgId, kind, ownerIds, assetIds)
  await setUnreferenced(tx, orgId, assetIds, now)
}
