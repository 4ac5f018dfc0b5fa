import type { Db } from '../../../../platform/db/index.ts'
import { isTemporary } from '../../../../platform/pages/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { findReceipt, receiptPath, receiptTitle } from '../../submissions/index.ts'

/** The receipt of a form that was just sent. */
export interface ReceiptLink {
  token: string
  title: string
  url: string
}

/** Undefined for an unknown token, and while the database is away: the form was received all the same. */
export async function findSentReceipt(
  db: Db,
  { orgId }: PublicPage,
  token: string | undefined,
): Promise<ReceiptLink | undefined> {
  if (token === undefined) return undefined
  try {
    const receipt = await findReceipt(db, token)
    if (receipt?.orgId !== orgId) return undefined
    return { token, title: receiptTitle(receipt, receipt.orgName), url: receiptPath(token) }
  } catch (error) {
    if (isTemporary(error)) return undefined
    throw error
  }
}
