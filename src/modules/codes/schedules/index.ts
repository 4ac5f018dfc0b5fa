import type { Clock } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { Context, PublicUrlOf } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { applyVersion } from '../history/index.ts'
import { objectOwner } from '../objects/index.ts'
import { type ImageSettings, productOwner } from '../products/index.ts'
import { codeOwner } from '../qr-codes/index.ts'
import { groupOwner } from '../qr-groups/index.ts'
import { type Owner, type OwnerRow, selectScheduled } from '../versions/index.ts'
import { type Due, Schedules } from './schedules.ts'

export type { Schedules } from './schedules.ts'

interface Services {
  database: Database
  clock: Clock
  log: Logger
  publicUrlOf: PublicUrlOf
  products: ImageSettings
  /** The context of changes that the service itself makes. */
  contextOf: (orgId: OrgId) => Context
}

/** Opens the background work that lets scheduled versions become effective. */
export function openSchedules({ database, clock, log, publicUrlOf, products, contextOf }: Services): Schedules {
  const apply = async ({ org_id: orgId, owner_kind, owner_id, id }: Due): Promise<void> => {
    const publicUrl = await publicUrlOf(orgId)
    const ctx = contextOf(orgId)
    const applyTo = <Row extends OwnerRow>(owner: Owner<Row>) =>
      ctx.write((tx) => applyOne(tx, ctx, owner, { ownerId: owner_id, versionId: id }))
    switch (owner_kind) {
      case 'qr_code':
        return applyTo(codeOwner(publicUrl))
      case 'qr_group':
        return applyTo(groupOwner)
      case 'object':
        return applyTo(objectOwner(publicUrl))
      case 'product':
        return applyTo(productOwner({ ...products, linkUrl: publicUrl }))
    }
  }
  return new Schedules({ database, clock, log, apply })
}

/** While we waited for the lock, another process may have done it, or a request may have cancelled it. */
async function applyOne<Row extends OwnerRow>(
  tx: Tx,
  ctx: Context,
  owner: Owner<Row>,
  { ownerId, versionId }: { ownerId: string; versionId: string },
): Promise<void> {
  const row = await owner.lock(tx, ctx.orgId, ownerId)
  const scheduled = await selectScheduled(tx, ctx.orgId, [ownerId])
  const version = scheduled.find(({ id }) => id === versionId)
  if (version !== undefined) await applyVersion(tx, ctx, owner, row, version)
}
