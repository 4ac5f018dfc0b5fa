import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import type { Submission } from '../../../pages/submissions/contract.ts'
import { formatTime } from '../format.ts'
import { formFields, readText } from '../forms.ts'
import { mayUse, notice, PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { replies } from './submission-replies.ts'
import { type AnsweredField, answersOf, STATUSES } from './submissions.ts'

interface Member {
  user_id: string
  first_name: string | null
  last_name: string | null
  email: string
}

interface SentFile {
  file_id: string
  file_name: string
  media_type: string
}

const PRIORITIES = ['none', 'low', 'medium', 'high'] as const

export const submissionPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showSubmission(visit, visit.query.get('id') ?? '', visit.query.has('saved'))

/** The buttons send only their status; the form sends everything else, too. */
export async function changeSubmission(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form } = visit
  const id = form.get('id') ?? ''
  const { status, body } = await visit.call('submissions.update', { params: { id }, body: readChange(form) })
  if (status === 403) return refusal(visit, status)
  if (status === 200) return { goTo: `${PATHS.submission}?id=${id}&saved` }
  return showSubmission(visit, id, false, body.message)
}

function readChange(form: URLSearchParams): Record<string, unknown> {
  if (!form.has('priority')) return { status: form.get('status') }
  return {
    status: form.get('status'),
    priority: form.get('priority'),
    flagged: form.has('flagged'),
    assignee_id: form.get('assignee_id') || null,
    notes: readText(form, 'notes'),
  }
}

export async function replyToSubmission(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  const sent = { text: readText(visit.form, 'text') ?? '' }
  const { status, body } = await visit.call('submissions.createReply', { params: { id }, body: sent })
  if (status === 403) return refusal(visit, status)
  if (status === 201) return { goTo: `${PATHS.submission}?id=${id}&saved` }
  return showSubmission(visit, id, false, body.message)
}

export async function eraseSubmission(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  const { status } = await visit.call('submissions.delete', { params: { id } })
  return status === 403 ? refusal(visit, status) : { goTo: PATHS.submissions }
}

async function showSubmission(
  visit: SignedInVisit,
  id: string,
  isSaved: boolean,
  problem?: string,
): Promise<AccountResponse> {
  const { texts, language } = visit
  const { submissions } = texts
  const { status, body } = await visit.call('submissions.get', { params: { id } })
  if (status === 403) return refusal(visit, status)
  if (status !== 200) return notice(visit, 'notFound', 404)
  const submission = body as Submission
  const page = await visit.call('pages.get', { params: { id: submission.page_id } })
  const number = fill(submissions.number, { n: submission.submission_number })
  const title = page.status === 200 ? `${page.body.title} · ${number}` : number
  const main = html`<p><a href="${PATHS.submissions}">${submissions.title}</a></p>
<h1>${title}</h1>
${isSaved && html`<p class="notice" role="status">${submissions.saved}</p>`}
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<p class="muted">${formatTime(submission.created_at, language)} <span class="state">${submissions.statuses[submission.status]}</span></p>
<section><h2>${submissions.answers}</h2><dl class="answers">${scannedThing(visit, submission)}${answersOf(
    submission,
  ).map((field) => answer(visit, submission.id, field))}</dl></section>
${await replies(visit, submission)}
${mayUse(visit, 'submissions.manage') && html`${await triage(visit, submission)}${erasure(visit, submission)}`}`
  return { title, main, status: problem === undefined ? 200 : 400, showsImages: true }
}

/** What the visitor had scanned, with the name it had then. */
const scannedThing = ({ texts }: SignedInVisit, { scanned }: Submission): Html | false =>
  scanned !== null &&
  html`<dt>${texts.submissions.scanned[scanned.type]}</dt><dd dir="auto">${scanned.name ?? scanned.external_id ?? scanned.id}</dd>`

function answer(visit: SignedInVisit, id: string, { type, label, value, value_label }: AnsweredField): Html {
  const files = type === 'form_media' ? ((value ?? []) as SentFile[]) : []
  const shown = files.length > 0 ? files.map((file) => fileLink(visit, id, file)) : toText(value_label ?? value)
  return html`<dt dir="auto">${label}</dt><dd dir="auto">${shown}</dd>`
}

function fileLink(visit: SignedInVisit, id: string, { file_id, file_name, media_type }: SentFile): Html {
  const url = `/v1/submissions/${id}/files/${file_id}`
  const preview = media_type.startsWith('image/') && html`<img src="${url}" alt="${file_name}" loading="lazy">`
  return html`<p>${preview}<a href="${url}">${visit.texts.submissions.file}: ${file_name}</a></p>`
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '–'

async function triage(visit: SignedInVisit, submission: Submission): Promise<Html> {
  const { submissions } = visit.texts
  const { id, status, priority, flagged, assignee_id, notes } = submission
  const { body } = await visit.call('members.list', { query: { page_size: '100' } })
  const people = ((body.data ?? []) as Member[]).map(
    (member) =>
      [member.user_id, [member.first_name, member.last_name].filter(Boolean).join(' ') || member.email] as const,
  )
  const next = STATUSES.filter((name) => name !== status && name !== 'new' && name !== 'read')
  return html`<section><form method="post" action="${PATHS.submission}" class="inline">${formFields(visit)}
<input type="hidden" name="id" value="${id}">${next.map(
    (name) =>
      html`<button name="status" value="${name}"${name !== 'resolved' && html` class="plain"`}>${submissions.statuses[name]}</button>`,
  )}</form>
<form method="post" action="${PATHS.submission}" class="actions">${formFields(visit)}
<input type="hidden" name="id" value="${id}">
${select(
  'status',
  submissions.status,
  status,
  STATUSES.map((name) => [name, submissions.statuses[name]]),
)}
${select(
  'priority',
  submissions.priority,
  priority,
  PRIORITIES.map((name) => [name, submissions.priorities[name]]),
)}
${select('assignee_id', submissions.assignee, assignee_id ?? '', [['', submissions.nobody], ...people])}
<label>${submissions.notes}<textarea name="notes" rows="4" dir="auto">${notes ?? ''}</textarea></label>
<label class="check"><input type="checkbox" name="flagged"${flagged && html` checked`}>${submissions.flagged}</label>
<p class="other"><button>${submissions.save}</button></p></form></section>`
}

const select = (name: string, label: string, current: string, options: readonly (readonly [string, string])[]): Html =>
  html`<label>${label}<select name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === current && html` selected`}>${text}</option>`,
  )}</select></label>`

const erasure = (visit: SignedInVisit, { id }: Submission): Html => {
  const { submissions } = visit.texts
  return html`<section><h2>${submissions.erase}</h2><p>${submissions.eraseText}</p>
<form method="post" action="/account/submission/erase" class="actions">${formFields(visit)}<input type="hidden" name="id" value="${id}">
<label class="check"><input type="checkbox" required>${submissions.eraseConfirm}</label>
<p class="other"><button class="bad">${submissions.erase}</button></p></form></section>`
}
