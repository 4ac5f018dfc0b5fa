import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import type { Submission } from '../../../pages/submissions/contract.ts'
import { formatTime } from '../format.ts'
import { PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

export const STATUSES = ['new', 'read', 'in_progress', 'resolved', 'spam'] as const

export type AnsweredField = Submission['data'][string]

export const answersOf = ({ data }: Submission): AnsweredField[] =>
  Object.values(data).toSorted((one, other) => one.order - other.order)

export async function submissionsPage(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { texts, query } = visit
  const { submissions } = texts
  const filters = Object.fromEntries(
    ['status', 'page_id', 'cursor'].flatMap((name) => (query.get(name) ? [[name, query.get(name) as string]] : [])),
  )
  const { status, body } = await visit.call('submissions.list', { query: { limit: '25', ...filters } })
  if (status === 400) return { goTo: PATHS.submissions }
  if (status !== 200) return refusal(visit, status)
  const titles = await pageTitles(visit)
  const { cursor: _, ...kept } = filters
  const linkTo = (changed: Record<string, string>) =>
    `${PATHS.submissions}?${new URLSearchParams({ ...kept, ...changed })}`
  const main = html`<h1>${submissions.title}</h1>
<p class="muted">${submissions.about}</p>
<nav class="filters" aria-label="${submissions.status}">${['', ...STATUSES].map((name) => {
    const isCurrent = name === (filters.status ?? '')
    const label = name === '' ? submissions.all : submissions.statuses[name as Submission['status']]
    const to = name === '' ? PATHS.submissions : linkTo({ status: name })
    return html` <a href="${to}"${isCurrent && html` aria-current="true"`}>${label}</a>`
  })}</nav>
<section>${
    body.data.length === 0
      ? html`<p class="muted">${submissions.none}</p>`
      : html`<ul class="rows">${body.data.map((row: Submission) => submissionRow(visit, row, titles.get(row.page_id)))}</ul>`
  }</section>
${body.next_cursor && html`<p class="other"><a class="button plain" href="${linkTo({ cursor: body.next_cursor })}">${submissions.older}</a></p>`}`
  return { title: submissions.title, main }
}

/** Only the latest pages. Others have no title in the list. */
async function pageTitles(visit: SignedInVisit): Promise<Map<string, string>> {
  const { status, body } = await visit.call('pages.list', { query: { limit: '100' } })
  if (status !== 200) return new Map()
  return new Map(body.data.map(({ id, title }: { id: string; title: string }) => [id, title]))
}

function submissionRow({ texts, language }: SignedInVisit, submission: Submission, title: string | undefined): Html {
  const { submissions } = texts
  const { id, submission_number, status, created_at } = submission
  const name = [title, fill(submissions.number, { n: submission_number })].filter(Boolean).join(' · ')
  return html`<li><span class="what"><a href="${PATHS.submission}?id=${id}"><strong>${name}</strong></a><span class="state">${submissions.statuses[status]}</span>
<small>${formatTime(created_at, language)}</small><small dir="auto">${firstText(submission)}</small></span></li>`
}

const EXCERPT_LENGTH = 120

/** Tells one submission from another in the list. */
function firstText(submission: Submission): string {
  const text = answersOf(submission).find(({ value }) => typeof value === 'string' && value !== '')?.value as string
  const points = [...(text ?? '')]
  return points.length > EXCERPT_LENGTH ? `${points.slice(0, EXCERPT_LENGTH).join('')}…` : points.join('')
}
