import { hash } from 'node:crypto'
import { SECOND_MS, type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { addAssetReferences } from '../../assets/assets/index.ts'
import type { AnsweredFile } from '../../assets/uploads/index.ts'
import type { ScannedThing, ThingName } from '../../codes/scanned-things/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { SubmissionData } from '../form/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { answersForMail, summaryOf, toMetadata, toSearchText } from './answer-texts.ts'
import { submissionEvents } from './events.ts'
import { submissionMails } from './mails.ts'
import { insertKeys, insertSubmissions, type SubmissionRow, selectByKeys, takeNumbers } from './queries.ts'
import type { ReceiptMail } from './receipts/receipt-mail.ts'
import { insertReceipts } from './receipts/receipt-queries.ts'
import { receiptPath, receiptTitle } from './receipts/title.ts'
import { firstReceiptToken, toReceiptRow } from './receipts/tokens.ts'
import { toSubmission } from './stored-submission.ts'

/** A form whose answers were checked. */
export interface ReceivedForm {
  page: PublicPage
  data: SubmissionData
  files: readonly AnsweredFile[]
  scanned: ScannedThing | null
  scanId: string | null
  /** Such as utm_source. */
  metadata: Record<string, string>
  /** When the visitor opened the page, if known. */
  openedAtMs: number | null
  /** Identifies the form in the visitor's browser: sending it again has no further effect. */
  formKey: string | null
  /** Why it may be spam, or null. */
  suspicion: 'honeypot' | 'too_fast' | 'no_proof_of_work' | null
  /** The language of our own words that the visitor saw. */
  language: Language
  /** The block of addresses that it came from. */
  sender: string
  nowMs: number
}

export interface ReceivedSubmission {
  id: string
  number: number
  /** Leads to the receipt. Only its hash is stored. */
  receiptToken: string
  /** Whether it was received before, with the same form key. */
  isRepeat: boolean
}

/** The page was deleted while the visitor filled in its form. */
export class PageGone extends Error {
  constructor() {
    super('the page was deleted')
    this.name = 'PageGone'
  }
}

/** A file was uploaded so long ago that it was removed. The visitor has to choose it again. */
export class FilesGone extends Error {
  readonly fileIds: readonly string[]

  constructor(fileIds: readonly string[]) {
    super('files of the form were removed')
    this.name = 'FilesGone'
    this.fileIds = fileIds
  }
}

/** A form, and who may be told about it. */
export interface AdmittedForm {
  form: ReceivedForm
  /** What was scanned is called so. */
  thing: ThingName
  /** Whether members may be told. */
  notifies: boolean
  /** How the visitor may be told; undefined if not at all. */
  receiptMail: ReceiptMail | undefined
}

/** Longer than any page stays open in a browser that is closed and opened again. */
const DURATION_SECONDS_MAX = 7 * 24 * 60 * 60

/**
 * Stores forms that visitors sent to one page, in one transaction: their numbers, rows, files, events, mails and form
 * keys. The number of statements does not depend on the number of forms, apart from files and mails.
 *
 * With `assumedLast`, it is assumed that this is the last number of the page, and that no form was sent before. Then no
 * statement waits for the response to another. The transaction fails if either is wrong, and the caller must store the
 * forms without it.
 */
export async function storeForms(
  tx: Tx,
  { id: pageId, orgId }: Pick<PublicPage, 'id' | 'orgId'>,
  admitted: readonly AdmittedForm[],
  mails: Mails,
  assumedLast: number | undefined,
): Promise<ReceivedSubmission[]> {
  const nowMs = Math.max(...admitted.map(({ form }) => form.nowMs))
  // One for all, as the events of a transaction have one: erasing a submission finds its event by this time.
  const now = timestamp(nowMs)
  const sent = admitted.map((one) => {
    const id = newIdAt(nowMs)
    return { ...one, id, key: keyOf(pageId, one.form.formKey), receiptToken: firstReceiptToken(id, one.form.formKey) }
  })
  const { fresh, repeats } = await takeKeys(tx, orgId, sent, now, assumedLast !== undefined)
  const before = fresh.length === 0 ? 0 : await takeNumbers(tx, orgId, pageId, fresh.length, assumedLast)
  if (before === undefined) throw new PageGone()
  const stored = fresh.map((one, n) => ({ ...one, row: toRow(one.id, one, before + 1 + n, now) }))
  await insertSubmissions(
    tx,
    orgId,
    stored.map(({ row, form }) => ({ ...row, search_text: toSearchText(form.data, null) })),
  )
  await insertReceipts(
    tx,
    stored.map(({ id, receiptToken }) => toReceiptRow(orgId, id, receiptToken, now)),
  )
  for (const { id, form } of stored) {
    if (form.files.length > 0) await keepFiles(tx, orgId, id, form.files)
  }
  await tellOthers(tx, orgId, stored, mails, now)
  const numbers = new Map(stored.map(({ id, row }) => [id, row.number]))
  return sent.map(({ id, key, form, receiptToken }) => {
    const number = numbers.get(id)
    if (number !== undefined) return { id, number, receiptToken, isRepeat: false }
    const first = repeats(key as string, numbers) as Pick<ReceivedSubmission, 'id' | 'number'>
    return { ...first, receiptToken: firstReceiptToken(first.id, form.formKey), isRepeat: true }
  })
}

interface SentForm extends AdmittedForm {
  id: string
  key: string | null
  receiptToken: string
}

/** Separates the forms that are new from those that were sent before, or twice at once. */
async function takeKeys(tx: Tx, orgId: OrgId, sent: readonly SentForm[], now: Timestamp, areNew: boolean) {
  const firsts = new Map<string, SentForm>()
  for (const one of sent) if (one.key !== null && !firsts.has(one.key)) firsts.set(one.key, one)
  const rows = [...firsts].map(([id, one]) => ({ id, org_id: orgId, submission_id: one.id, created_at: now }))
  const taken = new Set(await insertKeys(tx, rows, areNew))
  const known = [...firsts.keys()].filter((key) => !taken.has(key))
  const before = known.length === 0 ? new Map() : await selectByKeys(tx, orgId, known)
  return {
    fresh: sent.filter((one) => one.key === null || (taken.has(one.key) && firsts.get(one.key) === one)),
    repeats: (key: string, numbers: ReadonlyMap<string, number>) => {
      const id = firsts.get(key)?.id as string
      return before.get(key) ?? { id, number: numbers.get(id) }
    },
  }
}

async function keepFiles(tx: Tx, orgId: OrgId, id: string, files: readonly AnsweredFile[]): Promise<void> {
  const fileIds = files.map((file) => file.id)
  const existing = await addAssetReferences(tx, orgId, { kind: 'submission', id }, fileIds)
  const gone = fileIds.filter((fileId) => !existing.has(fileId))
  if (gone.length > 0) throw new FilesGone(gone)
}

/** Spam is stored, but causes neither an event nor a mail. */
async function tellOthers(
  tx: Tx,
  orgId: OrgId,
  stored: readonly (SentForm & { row: SubmissionRow })[],
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  const wanted = stored.filter(({ form }) => form.suspicion === null)
  await emitAll(
    tx,
    submissionEvents,
    wanted.map(({ row }) => ({ orgId, type: 'page.submission.created', payload: toSubmission(row) })),
    now,
  )
  for (const { row, form, notifies, receiptMail, receiptToken } of wanted) {
    if (notifies) await tellMembers(tx, row, form, mails, now)
    if (receiptMail === undefined) continue
    const { email, publicUrl } = receiptMail
    const values = { title: receiptTitle(row, form.page.orgName), url: publicUrl + receiptPath(receiptToken) }
    const subject = { orgId, subjectId: row.id }
    await mails.toOutsider(tx, subject, { email, language: form.language }, submissionMails.receipt, values, now)
  }
}

async function tellMembers(
  tx: Tx,
  { id, number, scanned_name, scanned_external_id }: SubmissionRow,
  { page, data }: ReceivedForm,
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  const subject = { orgId: page.orgId, subjectId: id }
  const values = { submissionId: id, page: page.title, number, answers: answersForMail(data) }
  const thing = scanned_name ?? scanned_external_id
  if (thing === null) await mails.toMembers(tx, subject, page.notifyUserIds, submissionMails.created, values, now)
  else {
    const about = { ...values, thing, summary: summaryOf(data) || number }
    await mails.toMembers(tx, subject, page.notifyUserIds, submissionMails.about, about, now)
  }
}

/** A visitor chooses the form key, so it counts only on its own page. */
const keyOf = (pageId: string, formKey: string | null): string | null =>
  formKey === null ? null : hash('sha256', `${pageId} ${formKey}`, 'base64url')

function toRow(id: string, { form, thing }: AdmittedForm, number: number, now: Timestamp): SubmissionRow {
  const { page, data, metadata, suspicion, scanned, scanId, openedAtMs, language, nowMs } = form
  const idOf = (kind: ScannedThing['kind']) => (scanned?.kind === kind ? scanned.id : null)
  const seconds = openedAtMs === null ? null : Math.max(0, Math.round((nowMs - openedAtMs) / SECOND_MS))
  return {
    id,
    page_id: page.id,
    number,
    status: suspicion === null ? 'new' : 'spam',
    priority: 'none',
    flagged: false,
    assignee_id: null,
    resolved_by: null,
    resolved_at: null,
    notes: null,
    data,
    metadata: toMetadata(metadata),
    spam_reason: suspicion,
    viewed_at: null,
    duration_seconds: seconds === null || seconds > DURATION_SECONDS_MAX ? null : seconds,
    scan_id: scanId,
    qr_code_id: idOf('qr_code'),
    product_id: idOf('product'),
    object_id: idOf('object'),
    scanned_name: thing.name,
    scanned_external_id: thing.external_id,
    language,
    reply_count: 0,
    created_at: now,
    updated_at: now,
  }
}
