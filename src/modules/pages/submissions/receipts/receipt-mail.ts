import { foldCase } from '../../../../platform/db/index.ts'
import type { PublicUrlOf } from '../../../../platform/http/server/public-url.ts'
import { hashToken } from '../../../../platform/ids/index.ts'
import type { Mails } from '../../../mail/mails/index.ts'
import { addressIn } from '../answer-texts.ts'
import { RECEIPTS, RECEIPTS_FROM_SENDER, RECEIPTS_TO_ADDRESS } from '../mails.ts'
import type { ReceivedForm } from '../receive.ts'

/** Where the link to a receipt is mailed. */
export interface ReceiptMail {
  email: string
  /** The address that the link begins with. */
  publicUrl: string
}

/**
 * Whether the visitor gets a mail with the link. Anybody may have typed the address, so mails are few: to one address, from
 * one sender and from one page. What the visitor typed is not in them. Called before the transaction: see `Mails.admits`.
 */
export async function admitReceiptMail(
  mails: Mails,
  publicUrlOf: PublicUrlOf,
  { page, data, suspicion, sender, nowMs }: ReceivedForm,
): Promise<ReceiptMail | undefined> {
  const email = addressIn(data)
  if (!mails.canSend || suspicion !== null || email === undefined) return undefined
  if (!(await mails.admits(RECEIPTS_FROM_SENDER, sender, nowMs))) return undefined
  if (!(await mails.admits(RECEIPTS_TO_ADDRESS, hashToken(foldCase(email)), nowMs))) return undefined
  if (!(await mails.admits(RECEIPTS, page.id, nowMs))) return undefined
  return { email, publicUrl: await publicUrlOf(page.orgId) }
}
