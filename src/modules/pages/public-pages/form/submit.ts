import { hash } from 'node:crypto'
import { SECOND_MS } from '../../../../platform/clock/index.ts'
import type { ContentLanguage, Language } from '../../../../platform/contract/languages.ts'
import { DatabaseUnavailable } from '../../../../platform/db/failures.ts'
import { addressBlock } from '../../../../platform/http/server/address-block.ts'
import { randomBase62 } from '../../../../platform/ids/index.ts'
import { isTemporary } from '../../../../platform/pages/index.ts'
import type { FailedAttempts } from '../../../../platform/rate-limit/index.ts'
import { PROOF_FIELD, type ProofOfWork } from '../../../../platform/rate-limit/proof-of-work.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import {
  type AnsweredForm,
  collectFiles,
  type FileStore,
  type FormReader,
  firstValue,
  type SentForm,
  type UploadLimits,
  type UploadRequest,
  type UploadTokens,
} from '../../../assets/uploads/index.ts'
import { checkAnswers, type FieldProblem } from '../../form/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { FilesGone, PageGone, type ReceivedForm, type Submissions } from '../../submissions/index.ts'
import { ABOUT_FIELD, type FormState, KEY_FIELD, TOUCHED_FIELD, TRAP_FIELD } from '../form-state.ts'
import type { PageRequestServices } from '../request-services.ts'
import { openScanContext } from '../scan-context.ts'
import type { FormLimits } from './limits.ts'
import { uploadFieldsOf } from './media-fields.ts'
import { countAnswers, type Signs, suspect } from './suspicion.ts'

export interface SubmitServices {
  pages: PageRequestServices
  submissions: Submissions
  reader: FormReader
  limits: FormLimits
  uploads: UploadLimits
  proofs: ProofOfWork
  tokens: UploadTokens
  store: FileStore
  /** Counts failed attempts of each visitor. */
  refused: FailedAttempts
  log: Logger
}

type RefusedStatus = 422 | 429 | 500 | 503

/** What became of a form. */
export type SubmitOutcome =
  | { kind: 'sent'; scanned: ReceivedForm['scanned']; receiptToken: string }
  /** The script must send it again with a proof. */
  | { kind: 'proof_needed' }
  | {
      kind: 'refused'
      status: RefusedStatus
      retryAfterSeconds: number
      form: FormState
      scanned: ReceivedForm['scanned']
    }

export interface Sending {
  page: PublicPage
  sender: UploadRequest
  language: ContentLanguage
  interfaceLanguage: Language
  /** Whether our script sent the form, and can still prove that it has done some work. */
  byScript: boolean
  nowMs: number
}

const FORM_KEY = /^[\w-]{16,64}$/
const RETRY_SECONDS = 5
const REPEAT_MS = 10 * SECOND_MS
const NO_FILES: FormState['files'] = new Map()

/**
 * Receives a form: limits → body → files → answers → proof of work → submission. What a visitor typed is part of every
 * outcome but `sent`. Throws an `ApiError` if it cannot be read.
 */
export async function submitForm(services: SubmitServices, sending: Sending): Promise<SubmitOutcome> {
  const { page, sender, nowMs } = sending
  const { limits, reader } = services
  let form: SentForm | undefined
  let answered: AnsweredForm | undefined
  const refuse = (status: RefusedStatus, problems: FieldProblem[], retryAfterSeconds = 0): SubmitOutcome =>
    refusal(services, page, form, answered, { status, problems, retryAfterSeconds })
  try {
    const admitted = await limits.admitForm(page, sender.address, nowMs)
    const keepsFiles = admitted.retryAfterSeconds === 0
    // Repeat offenders are refused before we read the body.
    if (!keepsFiles && services.refused.count(addressBlock(sender.address), nowMs) > 0) {
      return refuse(429, [], admitted.retryAfterSeconds)
    }
    // The longest part of the work follows.
    await services.pages.waitForTurn(page)
    form = await reader.read(sender, uploadFieldsOf(page), { keepsFiles })
    if (!keepsFiles) return refuse(429, [], admitted.retryAfterSeconds)
    if (form.failure !== undefined) throw form.failure
    answered = await collectFiles(services, uploadFieldsOf(page), form, sender.address, nowMs)
    if (answered.retryAfterSeconds > 0) return refuse(429, [], answered.retryAfterSeconds)
    const checked = checkAnswers(page.blocks, answered.answers, answered.files, sending.language, page.defaultLanguage)
    const problems = [...answered.problems, ...('problems' in checked ? checked.problems : [])]
    if (problems.length > 0 || 'problems' in checked) return refuse(422, firstOfEach(problems))
    const isProofNeeded = needsProof(page, admitted.isUnderAttack)
    const sentProof = firstValue(form, PROOF_FIELD)
    if (isProofNeeded && sentProof === '' && sending.byScript) return { kind: 'proof_needed' }
    const isProven = await services.proofs.accept(page.publicSlug, sentProof, nowMs)
    const proof = isProven ? 'done' : isProofNeeded ? 'missing' : 'not_needed'
    const received = toReceived(services.pages, sending, form, answered, checked.data, proof)
    const { receiptToken } = await services.submissions.receive(received)
    return { kind: 'sent', scanned: received.scanned, receiptToken }
  } catch (error) {
    const isAway = error instanceof DatabaseUnavailable
    // The limits cannot be read, but the form can.
    if (isAway) form ??= await reader.read(sender, uploadFieldsOf(page), { keepsFiles: false })
    if (form === undefined || error instanceof PageGone) throw error
    if (error instanceof FilesGone && answered !== undefined)
      return refuse(422, withoutFiles(answered, new Set(error.fileIds)))
    if (isTemporary(error)) return refuse(503, [], RETRY_SECONDS)
    services.log.error({ err: error, page_id: page.id }, 'a form failed')
    return refuse(500, [])
  } finally {
    await form?.release()
  }
}

const needsProof = ({ proofOfWork }: PublicPage, isUnderAttack: boolean): boolean =>
  proofOfWork === 'always' || (proofOfWork === 'automatic' && isUnderAttack)

function toReceived(
  { keyring, cookie }: PageRequestServices,
  { page, sender, interfaceLanguage, nowMs }: Sending,
  form: SentForm,
  { files }: AnsweredForm,
  data: ReceivedForm['data'],
  proof: Signs['proof'],
): ReceivedForm {
  const visit = cookie.open(page.id, sender.raw.headers.cookie, nowMs)
  const openedAtMs = visit?.openedAtMs ?? null
  const key = firstValue(form, KEY_FIELD)
  return {
    page,
    data,
    files: [...files.values()].map(({ token: _, ...file }) => file),
    scanned: openScanContext(keyring, page.id, firstValue(form, ABOUT_FIELD)),
    scanId: visit?.scanId ?? null,
    metadata: { ...visit?.query },
    openedAtMs,
    formKey: FORM_KEY.test(key) ? key : visit === undefined ? null : repeatKey(visit.id, form, files.keys(), nowMs),
    suspicion: suspect({
      isTrapFilled: firstValue(form, TRAP_FIELD) !== '',
      answers: countAnswers(page.blocks, data),
      elapsedMs: openedAtMs === null ? null : nowMs - openedAtMs,
      wasTouched: firstValue(form, TOUCHED_FIELD) !== '',
      proof,
    }),
    language: interfaceLanguage,
    sender: addressBlock(sender.address),
    nowMs,
  }
}

/** Without the script, a second click sends the same form again. Later, equal answers may be those of another person. */
const repeatKey = (visitId: string, { values }: SentForm, fileIds: Iterable<string>, nowMs: number): string =>
  hash('sha256', JSON.stringify([visitId, Math.floor(nowMs / REPEAT_MS), [...values], [...fileIds]]), 'base64url')

/** Takes files away that were deleted in the meantime. The visitor has to choose them again. */
function withoutFiles(answered: AnsweredForm, ids: ReadonlySet<string>): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [name, values] of answered.answers) {
    if (values.some((id) => ids.has(id))) problems.push({ name, problem: 'file_missing' })
  }
  for (const id of ids) answered.files.delete(id)
  return problems
}

/** A field with two problems shows the first one. */
function firstOfEach(problems: readonly FieldProblem[]): FieldProblem[] {
  const names = new Set<string>()
  return problems.filter(({ name }) => !names.has(name) && names.add(name))
}

const MESSAGES = { 422: 'invalid', 429: 'too_many', 500: 'failed', 503: 'failed' } as const

/** Everything that the visitor sent, to be shown again. */
function refusal(
  { pages }: SubmitServices,
  page: PublicPage,
  form: SentForm | undefined,
  answered: AnsweredForm | undefined,
  {
    status,
    problems,
    retryAfterSeconds,
  }: { status: RefusedStatus; problems: FieldProblem[]; retryAfterSeconds: number },
): SubmitOutcome {
  const answers = new Map(answered?.answers ?? form?.values)
  // From now on, sending it twice has no further effect, even without the script.
  if (!FORM_KEY.test(answers.get(KEY_FIELD)?.[0] ?? '')) answers.set(KEY_FIELD, [randomBase62(22)])
  const scanned = openScanContext(pages.keyring, page.id, answers.get(ABOUT_FIELD)?.[0])
  const state = { answers, problems, files: answered?.files ?? NO_FILES, message: MESSAGES[status] }
  return { kind: 'refused', status, retryAfterSeconds, form: state, scanned }
}
