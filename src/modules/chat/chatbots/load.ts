import { insertAuditEntries, SYSTEM } from '../../../platform/audit/index.ts'
import { DAY_MS, HOUR_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { chatbotMails } from './mails.ts'
import { updateLoadNoticed } from './queries.ts'

/** `unusual`: very many questions within a minute. `limited`: as many as the chatbot may answer within a day. */
export type LoadCause = 'unusual' | 'limited'

interface LoadedChatbot {
  id: string
  orgId: OrgId
  name: string
}

/** Tells the owners that visitors ask unusually much: at most once in 24 hours for a chatbot, which the row decides. */
export async function noticeLoad(
  tx: Tx,
  { id, orgId, name }: LoadedChatbot,
  cause: LoadCause,
  { mails, perDay }: { mails: Pick<Mails, 'toOwners'>; perDay: number },
  now: Timestamp,
): Promise<void> {
  // A later time is that of a request at the same moment, unless the clock was set back.
  const noticed = { since: timestamp(toMs(now) - DAY_MS), until: timestamp(toMs(now) + HOUR_MS) }
  if (!(await updateLoadNoticed(tx, orgId, id, now, noticed))) return
  const entry = { action: `chatbot.load_${cause}`, resource: { type: 'chatbot', id }, changes: null }
  await insertAuditEntries(tx, orgId, SYSTEM, [entry], now)
  await mails.toOwners(tx, orgId, chatbotMails.load, { chatbot: name, number: perDay }, now)
}
