import { hash } from 'node:crypto'
import type { Timestamp } from '../../../../platform/clock/index.ts'
import type { Row } from '../../../../platform/db/index.ts'
import { hashToken, type OrgId, randomBase62 } from '../../../../platform/ids/index.ts'

const TOKEN_LENGTH = 43
const TOKEN = /^[\w-]{43}$/

export const newReceiptToken = (): string => randomBase62(TOKEN_LENGTH)

/**
 * The token of a form's first receipt. It follows from the form key, which nobody but the visitor's browser knows, so that a
 * form that is sent again, because the first response was lost, leads to its receipt although only a hash is stored.
 */
export const firstReceiptToken = (submissionId: string, formKey: string | null): string =>
  formKey === null ? newReceiptToken() : hash('sha256', `receipt ${submissionId} ${formKey}`, 'base64url')

export const toReceiptRow = (
  orgId: OrgId,
  submissionId: string,
  token: string,
  now: Timestamp,
): Row<'submission_receipts'> => ({
  id: hashToken(token),
  org_id: orgId,
  submission_id: submissionId,
  created_at: now,
})

/** Undefined for a text that is no token, which saves a look-up. */
export const hashOfToken = (token: string): string | undefined => (TOKEN.test(token) ? hashToken(token) : undefined)
