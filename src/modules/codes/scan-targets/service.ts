import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type DestinationColumns,
  type DestinationRef,
  findDestinationUrl,
  type Status,
  toDestinationRef,
} from '../destinations/index.ts'
import { selectUrlParams } from '../key-values/index.ts'
import {
  clearTarget,
  insertTargets,
  type ScanTargetRow,
  selectOwnTarget,
  selectTargets,
  upsertTarget,
} from './queries.ts'
import { newSlug } from './slugs.ts'

/** A group is no target of its own: codes look there for what they lack. */
export type TargetKind = 'qr_code' | 'qr_group' | 'object' | 'product'

/** What decides about a scan. */
export interface TargetRule {
  status: Status
  /** The address is whole, or a path on our own host. */
  destination: { type: DestinationRef['type']; id: string | null; address: string } | null
  params: [key: string, value: string][]
  /** The key of the group whose rule counts where this one says nothing. */
  group: string | null
}

export interface Target {
  key: string
  orgId: OrgId
  id: string
  /** Null when it was deleted. */
  rule: TargetRule | null
}

/** Told to every process whose memory of a target is out of date. */
export const TARGETS_TOPIC = 'scan_targets'

export const targetKey = (kind: TargetKind, slug: string): string => `${kind}:${slug}`

/** A product is found by its number within an organisation. */
export const productSlug = (orgId: OrgId, gtin: string): string => `${orgId}/${gtin}`

/** Gives each a slug that nothing ever had, and publishes its rule under it. The slugs are in the order of the drafts. */
export async function claimSlugs(
  tx: Tx,
  orgId: OrgId,
  kind: 'qr_code' | 'object',
  drafts: readonly { id: string; rule: TargetRule }[],
  draw: () => string = newSlug,
): Promise<string[]> {
  const slugs: string[] = drafts.map(() => '')
  for (let left = [...drafts.keys()]; left.length > 0; left = left.filter((n) => slugs[n] === '')) {
    const drawn = new Map(left.map((n) => [n, draw()]))
    const rows = left.map((n) => {
      const { id, rule } = drafts[n] as (typeof drafts)[number]
      return { id: targetKey(kind, drawn.get(n) ?? ''), org_id: orgId, target_id: id, rule }
    })
    const claimed = new Set(await insertTargets(tx, rows))
    for (const [n, slug] of drawn) if (claimed.delete(targetKey(kind, slug))) slugs[n] = slug
  }
  await announce(
    tx,
    TARGETS_TOPIC,
    slugs.map((slug) => targetKey(kind, slug)),
  )
  return slugs
}

/** What is scanned, as its family keeps it. */
export interface TargetSource extends DestinationColumns {
  id: string
  status: Status
  /** The id of its group. */
  group_id?: string | null
}

/** What the subject says about its scans. Without an address, because it is no more, a destination leads nowhere. */
export function toTargetRule(
  subject: TargetSource,
  address: string | undefined,
  params: TargetRule['params'],
): TargetRule {
  const lead = toDestinationRef(subject)
  return {
    status: subject.status,
    destination: lead === null || address === undefined ? null : { type: lead.type, id: lead.id, address },
    params,
    group: subject.group_id == null ? null : targetKey('qr_group', subject.group_id),
  }
}

/** From the next scan on, this is what decides. */
export async function publishTarget(tx: Tx, orgId: OrgId, key: string, subject: TargetSource): Promise<void> {
  const lead = toDestinationRef(subject)
  const address = lead === null ? undefined : await findDestinationUrl(tx, orgId, lead)
  const rule = toTargetRule(subject, address, await selectUrlParams(tx, orgId, subject.id))
  await upsertTarget(tx, { id: key, org_id: orgId, target_id: subject.id, rule })
  await announce(tx, TARGETS_TOPIC, [key])
}

/** Whoever scans it from now on hears that it is gone. */
export async function retireTarget(tx: Tx, orgId: OrgId, key: string): Promise<void> {
  await clearTarget(tx, orgId, key)
  await announce(tx, TARGETS_TOPIC, [key])
}

export const loadTargets = async (db: Db, keys: readonly string[]): Promise<Target[]> =>
  (await selectTargets(db, keys)).map(toTarget)

/** One of the organisation's own, living or deleted. */
export async function findOwnTarget(db: Db, orgId: OrgId, key: string): Promise<Target | undefined> {
  const row = await selectOwnTarget(db, orgId, key)
  return row && toTarget(row)
}

const toTarget = ({ id, org_id, target_id, rule }: ScanTargetRow): Target => ({
  key: id,
  orgId: org_id as OrgId,
  id: target_id,
  rule: rule as TargetRule | null,
})
