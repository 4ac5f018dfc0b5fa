import { startErasing, startRetention } from '../../erasure/index.ts'
import { startFinishing } from '../../platform/db/unfinished-writes.ts'
import type { Ground } from './ground.ts'
import type { Groups } from './groups.ts'
import { startJobWork } from './jobs.ts'

/** Starts what runs in the background. */
export async function startWorkerSide(ground: Ground, groups: Groups): Promise<void> {
  const { config, database, clock, log, shutdown } = ground
  const { assets, chat, domains, knowledge, mail, webhooks } = groups
  shutdown.atLast(startFinishing(database, log))
  shutdown.atLast(startRetention(database, config.auditLogDays, clock, log))
  shutdown.atLast(startErasing(database, assets.store, clock, log))
  assets.startWork()
  domains.startWork()
  knowledge.startWork()
  webhooks.startWork()
  chat.startWork()
  startJobWork(ground, domains)
  await mail.startWork()
}
