import { type OrgId, UUID_PATTERN } from '../../../../platform/ids/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { listMemberships } from '../../members/index.ts'
import {
  endSession as endOne,
  endOtherSessions as endOthers,
  listSessions,
  switchOrganisation as switchTo,
} from '../../sessions/index.ts'
import { updateProfile } from '../../users/index.ts'
import { formatTime } from '../format.ts'
import { type FieldErrors, formFields, inputField, readText, usernameField } from '../forms.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { emailSection } from './email-section.ts'
import { factorsSection } from './factors.ts'
import { renewedCookie } from './sign-in/sign-in.ts'

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
${passwordSection(visit, errors)}
${await factorsSection(services, visit)}
${await organisations(services, visit)}
${await sessions(services, visit)}`
  return { title: account.title, main, status: Object.keys(errors).length === 0 ? 200 : 400 }
}

const passwordSection = (visit: SignedInVisit, errors: FieldErrors): Html => {
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
<button>${texts.account.changePassword}</button></form></section>`
}

export async function saveProfile(
  services: AccountRequestServices,
  { form, person, now }: SignedInVisit,
): Promise<AccountResponse> {
  const names = { first_name: readText(form, 'first_name'), last_name: readText(form, 'last_name') }
  await services.database.write((tx) => updateProfile(tx, person.user_id, names, now))
  services.sessions.forget(person.token)
  return { goTo: `${PATHS.account}?saved` }
}

export async function endSession(
  services: AccountRequestServices,
  { form, person }: SignedInVisit,
): Promise<AccountResponse> {
  const id = form.get('id') ?? ''
  if (UUID_PATTERN.test(id)) await services.database.write((tx) => endOne(tx, person.user_id, id))
  return { goTo: PATHS.account }
}

export async function endOtherSessions(
  services: AccountRequestServices,
  { person }: SignedInVisit,
): Promise<AccountResponse> {
  await services.database.write((tx) => endOthers(tx, person.user_id, person.id))
  return { goTo: PATHS.account }
}

export async function switchOrganisation(
  services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form, person } = visit
  const memberships = await listMemberships(services.database.read, person.user_id)
  const chosen = memberships.find(({ org_id }) => org_id === form.get('id'))
  if (chosen === undefined) return { goTo: PATHS.account }
  const session = await services.database.write((tx) => switchTo(tx, person, chosen.org_id as OrgId))
  return { goTo: PATHS.account, cookies: [renewedCookie(services, visit, session)] }
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
