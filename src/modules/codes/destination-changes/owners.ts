import type { Tx } from '../../../platform/db/index.ts'
import type { Context, PublicUrlOf } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Area } from '../../account/scopes/index.ts'
import type { Changed } from '../create-or-change/index.ts'
import type { DestinationRef, SentDestination, Status, TargetDestinationColumns } from '../destinations/index.ts'
import { changeObjects } from '../objects/index.ts'
import { changeProducts } from '../products/index.ts'
import { type CodeDomains, changeCodes } from '../qr-codes/index.ts'
import { changeGroups } from '../qr-groups/index.ts'
import type { OwnerKind } from './contract.ts'
import type { OwnerTable } from './queries.ts'

/** A QR code, QR group, object or product, as far as its destination is concerned. */
export interface Owner extends TargetDestinationColumns {
  id: string
  name: string | null
  /** Objects have none. */
  status?: Status
  /** Only QR codes have one. */
  group_id?: string | null
  /** Only objects have one. */
  type?: string
}

/** A new destination, in its stored form. */
export interface Redirection extends SentDestination {
  destination: DestinationRef | null
  status?: Status
}

/** Changes owners of one kind that exist, with the same effects as a PATCH of each. Undefined leaves one alone. */
export type ChangeOwners = (
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  decide: (owner: Owner) => Redirection | undefined,
) => Promise<ReadonlyMap<string, Changed<Owner>>>

interface OwnerFamily {
  table: OwnerTable
  area: Area
  /** How many are changed in one transaction. Twice as many let others wait for the commit on PostgreSQL. Groups are changed one by one. */
  pieceMax: number
}

export const OWNERS: Record<OwnerKind, OwnerFamily> = {
  qr_code: { table: 'qr_codes', area: 'qr', pieceMax: 25 },
  qr_group: { table: 'qr_groups', area: 'qr', pieceMax: 10 },
  object: { table: 'objects', area: 'objects', pieceMax: 25 },
  product: { table: 'products', area: 'products', pieceMax: 25 },
}

export const areasOf = (kinds: readonly OwnerKind[]): Area[] => [...new Set(kinds.map((kind) => OWNERS[kind].area))]

export interface OwnerSettings {
  publicUrl: string
  publicUrlOf: PublicUrlOf
  domains: CodeDomains
}

/** What is needed for that is looked up before the transaction. */
export type PrepareOwners = (orgId: OrgId) => Promise<Record<OwnerKind, ChangeOwners>>

export const ownerChanges =
  ({ publicUrl, publicUrlOf, domains }: OwnerSettings): PrepareOwners =>
  async (orgId) => {
    const ownUrl = await publicUrlOf(orgId)
    return {
      qr_code: (tx, ctx, ids, decide) => changeCodes(tx, ctx, ids, decide, { publicUrl: ownUrl, domains }),
      qr_group: changeGroups,
      object: (tx, ctx, ids, decide) => changeObjects(tx, ctx, ids, decide, ownUrl),
      product: (tx, ctx, ids, decide) => changeProducts(tx, ctx, ids, decide, { publicUrl, linkUrl: ownUrl }),
    }
  }
