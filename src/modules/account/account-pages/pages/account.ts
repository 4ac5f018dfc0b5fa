import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { hasGrants } from '../../connected-applications/index.ts'
import { listMemberships } from '../../members/index.ts'
import { listSessions } from '../../sessions/index.ts'
import { formatTime } from '../format.ts'
import { type FieldErrors, formFields, inputField, usernameField } from '../forms.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { emailSection } from './email-section.ts'
import { factorsSection } from './factors.ts'

export const accountPage = (services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showAccount(services, visit)

/** `errors` are those of the form that was sent. */
export async function showAccount(
  services: AccountRequestServices,
  visit: SignedInVisit,
  errors: FieldErrors = {},
): Promise<AccountResponse> {
  const { texts, person, query } = visit
  const { account } = texts
  const main = html`<h1>${account.title}</h1>
${query.has('saved') && html`<p class="notice" role="status">${account.saved}</p>`}
<section><h2>${account.profile}</h2>
<form method="post" action="${PATHS.account}">${formFields(visit)}
<p>${texts.email}<br><strong>${person.email}</strong></p>
${inputField({ name: 'first_name', label: texts.firstName, value: person.first_name, autocomplete: 'given-name', isOptional: true })}
${inputField({ name: 'last_name', label: texts.lastName, value: person.last_name, autocomplete: 'family-name', isOptional: true })}
<button>${texts.save}</button></form></section>
${emailSection(services, visit, errors)}
${passwordSection(visit, errors, await hasGrants(services.database.read, person.user_id))}
${await factorsSection(services, visit)}
${await organisations(services, visit)}
${await sessions(services, visit)}`
  return { title: account.title, main, status: Object.keys(errors).length === 0 ? 200 : 400 }
}

const passwordSection = (visit: SignedInVisit, errors: FieldErrors, hasApplications: boolean): Html => {
  const { texts, person } = visit
  return html`<section><h2>${texts.password}</h2>
<form method="post" action="/account/password">${formFields(visit)}
${usernameField(person.email)}
${inputField({
  name: 'current_password',
  label: texts.account.currentPassword,
  type: 'password',
  autocomplete: 'current-password',
  error: errors.current_password,
})}
${inputField({
  name: 'new_password',
  label: texts.newPassword,
  type: 'password',
  autocomplete: 'new-password',
  help: texts.passwordHelp,
  error: errors.new_password,
})}
${hasApplications && html`<label class="check"><input type="checkbox" name="disconnect" value="1">${texts.account.disconnect}</label>`}
<button>${texts.account.changePassword}</button></form></section>`
}

async function organisations(services: AccountRequestServices, visit: SignedInVisit): Promise<Html> {
  const { texts, person } = visit
  const { account, roles } = texts
  const memberships = await listMemberships(services.database.read, person.user_id)
  const rows = memberships.map(
    ({ org_id, name, role }) => html`<li><span class="what"><strong>${name}</strong>
<span class="state">${roles[role]}</span>${org_id === person.org_id && html`<span class="state">${account.current}</span>`}</span>
${
  org_id !== person.org_id &&
  html`<form method="post" action="/account/organisations/switch">${formFields(visit)}<input type="hidden" name="id" value="${org_id}"><button class="plain">${account.switchTo}</button></form>`
}</li>`,
  )
  return html`<section><h2>${account.organisations}</h2>
${rows.length === 0 ? html`<p>${account.noOrganisation}</p>` : html`<ul class="rows">${rows}</ul>`}</section>`
}

async function sessions(services: AccountRequestServices, visit: SignedInVisit): Promise<Html> {
  const { texts, person, language, now } = visit
  const { account } = texts
  const list = await listSessions(services.database.read, person.user_id, now)
  const rows = list.map(
    ({
      id,
      device,
      address,
      last_used_at,
    }) => html`<li><span class="what"><strong>${device || account.unknownDevice}</strong>
${id === person.id && html`<span class="state">${account.thisSession}</span>`}
<small>${address} · ${fill(account.lastUsed, { date: formatTime(last_used_at, language) })}</small></span>
${
  id !== person.id &&
  html`<form method="post" action="/account/sessions/end">${formFields(visit)}<input type="hidden" name="id" value="${id}"><button class="plain">${account.endSession}</button></form>`
}</li>`,
  )
  return html`<section><h2>${account.sessions}</h2><ul class="rows">${rows}</ul>
${
  list.length > 1 &&
  html`<form method="post" action="/account/sessions/end-others">${formFields(visit)}<button class="bad">${account.endOthers}</button></form>`
}</section>`
}
