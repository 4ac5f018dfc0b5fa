import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type Brand, toBrand } from '../../../../platform/look/index.ts'
import type { ScannedThing } from '../../../codes/scanned-things/index.ts'
import type { SubmissionData } from '../../form/index.ts'
import { answersForReceipt } from '../answer-texts.ts'
import { REPLIES_MAX } from '../contract.ts'
import type { SubmissionRow } from '../queries.ts'
import { selectReplies } from '../replies/reply-queries.ts'
import { scannedThing } from '../stored-submission.ts'
import { selectReceipt } from './receipt-queries.ts'
import { hashOfToken } from './tokens.ts'

/** What a visitor may see of a submission. */
export interface Receipt {
  orgId: OrgId
  orgName: string
  orgLogoUrl: string | null
  brand: Brand
  /** The public slug of the page with the form; null if the page was deleted. */
  publicSlug: string | null
  number: number
  qr_code_id: string | null
  scanned_name: string | null
  scanned: ScannedThing | null
  /** The language of our own words that the visitor saw. */
  language: string | null
  /** Visitors do not learn that they are suspected. */
  status: Exclude<SubmissionRow['status'], 'spam'>
  sentAt: string
  answers: { label: string; value: string }[]
  /** Oldest first. */
  replies: { text: string; sentAt: string }[]
}

/** Undefined if there was never such a receipt, and when its submission was erased. */
export async function findReceipt(db: Db, token: string): Promise<Receipt | undefined> {
  const hash = hashOfToken(token)
  const row = hash === undefined ? undefined : await selectReceipt(db, hash)
  if (row === undefined) return undefined
  const replies = row.reply_count === 0 ? [] : await selectReplies(db, row.org_id, row.id, undefined, REPLIES_MAX)
  return {
    orgId: row.org_id,
    orgName: row.org_name,
    orgLogoUrl: row.org_logo_url,
    brand: toBrand(row.brand),
    publicSlug: row.public_slug,
    number: row.number,
    qr_code_id: row.qr_code_id,
    scanned_name: row.scanned_name,
    scanned: scannedThing(row),
    language: row.language,
    status: row.status === 'spam' ? 'new' : row.status,
    sentAt: row.created_at,
    answers: answersForReceipt(row.data as SubmissionData),
    replies: replies.map(({ text, created_at }) => ({ text, sentAt: created_at })).reverse(),
  }
}
