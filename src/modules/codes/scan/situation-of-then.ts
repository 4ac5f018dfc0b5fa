import { timestamp } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { toDestinationColumns } from '../destinations/index.ts'
import { findSetupParts, loadTargets, type TargetSetup, toTargetSetup } from '../scan-targets/index.ts'
import { type OwnerState, selectFirstVersion, selectVersionAt, toState } from '../versions/index.ts'
import type { Situation } from './decide.ts'
import type { Resolved } from './resolve.ts'

/** Where a target, its group and its object led at a moment in the past. What has not changed since is as it is now. */
export async function situationOfThen(
  db: Db,
  { orgId, id, setup, group, object }: Pick<Resolved, 'orgId' | 'id' | keyof Situation>,
  atMs: number,
): Promise<Situation> {
  if (setup === null) return { setup, group, object }
  const at = timestamp(atMs)
  const then = await findSetup(db, orgId, id, setup, at)
  return {
    setup: then,
    group: await findParent(db, orgId, then.group, at),
    object: await findParent(db, orgId, then.object ?? null, at),
  }
}

async function findSetup(db: Db, orgId: OrgId, ownerId: string, now: TargetSetup, at: string): Promise<TargetSetup> {
  const version = (await selectVersionAt(db, orgId, ownerId, at)) ?? (await selectFirstVersion(db, orgId, ownerId))
  const state = version && toState(version)
  if (version === undefined || state == null) return withoutFuture(now)
  const source = { id: ownerId, ...toColumns(state), version: version.version, scheduled_count: 0 }
  return toTargetSetup(source, now.params, await findSetupParts(db, orgId, [source]))
}

const toColumns = ({ destination, ...state }: OwnerState) => ({ ...state, ...toDestinationColumns(destination) })

async function findParent(db: Db, orgId: OrgId, key: string | null, at: string): Promise<TargetSetup | null> {
  const [parent] = key === null ? [] : await loadTargets(db, [key])
  return parent?.setup == null ? null : findSetup(db, orgId, parent.id, parent.setup, at)
}

/** It was not planned yet. */
const withoutFuture = ({ scheduled: _, ...setup }: TargetSetup): TargetSetup => setup
