import { DAY_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { hashToken, type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import { deleteToken, insertToken, prolongToken, selectTokens, type TokenRow } from './queries.ts'

const TOKEN_LENGTH = 43
/** A visitor who comes back within this time continues the conversation. */
const VALID_MS = 30 * DAY_MS
/** A token that is used is valid for longer again, but is not written for every request. */
const PROLONGED_EVERY_MS = DAY_MS
/** Browsers with which a visitor can continue a conversation, and links in mails. A new one replaces the oldest. */
const TOKENS_MAX = 10

export const newToken = (): string => randomBase62(TOKEN_LENGTH)

/** Stores the hash of a token. */
export async function addToken(
  tx: Tx,
  orgId: OrgId,
  conversationId: string,
  purpose: TokenRow['purpose'],
  token: string,
  now: Timestamp,
): Promise<void> {
  const others = (await selectTokens(tx, orgId, conversationId)).filter((one) => one.purpose === purpose)
  const oldest = others.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
  for (const { id } of oldest.slice(0, Math.max(0, others.length + 1 - TOKENS_MAX))) await deleteToken(tx, orgId, id)
  await insertToken(tx, orgId, {
    id: hashToken(token),
    conversation_id: conversationId,
    purpose,
    expires_at: timestamp(toMs(now) + VALID_MS),
    created_at: now,
  })
}

/** Lets a token that is in use expire later. */
export async function keepToken(
  tx: Tx,
  orgId: OrgId,
  token: { hash: string; expires_at: string },
  now: Timestamp,
): Promise<void> {
  if (toMs(token.expires_at) - toMs(now) > VALID_MS - PROLONGED_EVERY_MS) return
  await prolongToken(tx, orgId, token.hash, timestamp(toMs(now) + VALID_MS))
}
