import { announce, batchesOf, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectUrlParams } from '../key-values/index.ts'
import type { TargetSource } from '../versions/index.ts'
import { targetKey } from './keys.ts'
import {
  clearTargets,
  insertDrawnTarget,
  insertDrawnTargets,
  insertTargets,
  type ScanTargetRow,
  selectOwnKeys,
  selectOwnTarget,
  selectTargets,
  upsertTarget,
  upsertTargets,
} from './queries.ts'
import { findRetired } from './retired-slugs.ts'
import { findSetupParts, type SetupDestination, type TargetSetup, toTargetSetup } from './setup.ts'
import { newSlug } from './slugs.ts'

export interface Target {
  key: string
  orgId: OrgId
  id: string
  /** Null once the target was deleted. */
  setup: TargetSetup | null
}

const KEYS_PER_QUERY = 1000

/** Announced with a target's key, so that every process drops it from its cache. */
export const TARGETS_TOPIC = 'scan_targets'

/** A GTIN is unique only within its organisation, so the organisation is part of the slug. */
export const productSlug = (orgId: OrgId, gtin: string): string => `${orgId}/${gtin}`

/** The slug under which an object with a GS1 key is found, besides its own. Unique like that of a product. */
export const gs1KeySlug = (orgId: OrgId, gs1Key: string): string => `${orgId}/${gs1Key}`

/**
 * What precedes a slug that is meant on one custom domain alone. The organisation is part of it, so that another one that takes the
 * domain over starts anew; the name is, so that the codes are back when the same organisation connects the domain again.
 */
export const domainNamespace = (orgId: OrgId, domain: string): string => `${orgId}/${domain}/`

interface Draft {
  id: string
  setup: TargetSetup
  /** Of a custom domain. Without it, the slug is meant on all hosts of the organisation. */
  namespace?: string
}

/**
 * Claims an unused slug for each draft and publishes its setup under it. Returns the slugs in the order of the drafts.
 * A slug that was ever in use is never claimed again. A single one is claimed without waiting for the database, which keeps
 * the writer free for others. If its slug is taken, which is as good as impossible, the transaction fails with
 * `DrawnSlugTaken`.
 */
export async function claimSlugs(
  tx: Tx,
  orgId: OrgId,
  kind: 'qr_code' | 'object',
  drafts: readonly Draft[],
  draw: () => string = newSlug,
): Promise<string[]> {
  const keyOf = (n: number, slug: string) => targetKey(kind, `${drafts[n]?.namespace ?? ''}${slug}`)
  const toRow = (n: number, slug: string) => {
    const { id, setup } = drafts[n] as (typeof drafts)[number]
    return { id: keyOf(n, slug), org_id: orgId, target_id: id, rule: setup }
  }
  if (drafts.length === 1) {
    const slug = draw()
    await insertDrawnTarget(tx, toRow(0, slug))
    await announce(tx, TARGETS_TOPIC, [keyOf(0, slug)])
    return [slug]
  }
  const slugs: string[] = drafts.map(() => '')
  for (let left = [...drafts.keys()]; left.length > 0; left = left.filter((n) => slugs[n] === '')) {
    const drawn = new Map(left.map((n) => [n, draw()]))
    const rows = left.map((n) => toRow(n, drawn.get(n) ?? ''))
    const claimed = new Set(await insertDrawnTargets(tx, rows))
    // `delete`, because two drafts may have drawn the same slug: only the first of them gets it.
    for (const [n, slug] of drawn) if (claimed.delete(keyOf(n, slug))) slugs[n] = slug
  }
  await announce(
    tx,
    TARGETS_TOPIC,
    slugs.map((slug, n) => keyOf(n, slug)),
  )
  return slugs
}

/** Claims keys whose slugs somebody chose, and publishes their setups. Returns those that were free. */
export async function claimKeys(
  tx: Tx,
  orgId: OrgId,
  drafts: readonly { key: string; id: string; setup: TargetSetup }[],
): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  const claimed = new Set(
    await insertTargets(
      tx,
      drafts.map(({ key, id, setup }) => ({ id: key, org_id: orgId, target_id: id, rule: setup })),
    ),
  )
  // Afterwards: the key of an organisation that is just being erased is free before it counts as retired.
  for (const key of await findRetired(tx, [...claimed])) claimed.delete(key)
  await announce(tx, TARGETS_TOPIC, [...claimed])
  return claimed
}

/** Returns those of the keys that the organisation has ever used. */
export const findTakenKeys = async (db: Db, orgId: OrgId, keys: readonly string[]): Promise<Set<string>> => {
  const taken = new Set<string>()
  for (const some of batchesOf(keys, KEYS_PER_QUERY))
    for (const key of await selectOwnKeys(db, orgId, some)) taken.add(key)
  return taken
}

/** The public slug of one of our own destinations, which follows the path of its kind: `/kb/<slug>`, `/kb/<slug>/a/<id>`. */
export const publicSlugOf = ({ address }: SetupDestination): string => address.split('/', 3)[2] ?? ''

/** Writes the setup that applies from the next scan on. */
export async function publishTarget(tx: Tx, orgId: OrgId, key: string, source: TargetSource): Promise<void> {
  const params = await selectUrlParams(tx, orgId, source.id)
  const setup = toTargetSetup(source, params, await findSetupParts(tx, orgId, [source]))
  await upsertTarget(tx, { id: key, org_id: orgId, target_id: source.id, rule: setup })
  await announce(tx, TARGETS_TOPIC, [key])
}

/** Deletes the setup and keeps the row: later scans show that the target is gone, and its slug stays taken. */
export const retireTarget = (tx: Tx, orgId: OrgId, key: string): Promise<void> => retireTargets(tx, orgId, [key])

export async function retireTargets(tx: Tx, orgId: OrgId, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await clearTargets(tx, orgId, keys)
  await announce(tx, TARGETS_TOPIC, keys)
}

/** Writes many setups, each under a key of its own. */
export async function publishTargets(
  tx: Tx,
  orgId: OrgId,
  targets: readonly { key: string; id: string; setup: TargetSetup }[],
): Promise<void> {
  if (targets.length === 0) return
  await upsertTargets(
    tx,
    targets.map(({ key, id, setup }) => ({ id: key, org_id: orgId, target_id: id, rule: setup })),
  )
  await announce(
    tx,
    TARGETS_TOPIC,
    targets.map(({ key }) => key),
  )
}

export const loadTargets = async (db: Db, keys: readonly string[]): Promise<Target[]> =>
  (await selectTargets(db, keys)).map(toTarget)

/** Finds a target of the organisation, deleted ones included. */
export async function findOwnTarget(db: Db, orgId: OrgId, key: string): Promise<Target | undefined> {
  const row = await selectOwnTarget(db, orgId, key)
  return row && toTarget(row)
}

const toTarget = ({ id, org_id, target_id, rule }: ScanTargetRow): Target => ({
  key: id,
  orgId: org_id,
  id: target_id,
  setup: rule as TargetSetup | null,
})
