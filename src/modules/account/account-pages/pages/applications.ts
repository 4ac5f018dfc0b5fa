import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import type { ConnectedApplication } from '../../connected-applications/index.ts'
import { SCOPES } from '../../scopes/index.ts'
import { formatTime } from '../format.ts'
import { formFields } from '../forms.ts'
import { PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { permissions } from './sign-in/consent.ts'

export const applicationsPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showApplications(visit)

export async function disconnectApplication(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  const { status, body } = await visit.call('connected-applications.delete', { params: { id } })
  return status === 204 ? { goTo: PATHS.applications } : showApplications(visit, body.message)
}

async function showApplications(visit: SignedInVisit, problem?: string): Promise<AccountResponse> {
  const { consent } = visit.texts
  const { status, body } = await visit.call('connected-applications.list', { query: { page_size: '100' } })
  const me = await visit.call('me.get')
  if (status !== 200 || me.status !== 200) return refusal(visit, status)
  const main = html`<h1>${consent.applications}</h1>
<p class="muted">${fill(consent.about, { organisation: me.body.org_name })}</p>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<section>${
    body.data.length === 0
      ? html`<p class="muted">${consent.none}</p>`
      : html`<ul class="rows">${body.data.map((application: ConnectedApplication) => applicationRow(visit, application))}</ul>`
  }</section>`
  return { title: consent.applications, main, status: problem === undefined ? 200 : 400 }
}

function applicationRow(visit: SignedInVisit, application: ConnectedApplication): Html {
  const { texts, language } = visit
  const { consent, keys } = texts
  const { id, client, user, scopes, created_at, last_used_at } = application
  const person = [user.first_name, user.last_name].filter(Boolean).join(' ')
  const since = fill(consent.since, { date: formatTime(created_at, language) })
  const used = last_used_at === null ? keys.never : fill(keys.lastUsed, { date: formatTime(last_used_at, language) })
  return html`<li><span class="what"><strong>${client.name}</strong>
<small>${[person, since, used].filter((part) => part !== '').join(' · ')}</small>
<details><summary>${consent.details}</summary>${permissions(texts, scopes, EVERYTHING)}</details></span>
<form method="post" action="${PATHS.applications}">${formFields(visit)}<input type="hidden" name="id" value="${id}">
<button class="bad">${consent.disconnect}</button></form></li>`
}

/** The page says what the application was allowed. What the role of a person forbids changes with the role. */
const EVERYTHING: ReadonlySet<string> = new Set(SCOPES)
