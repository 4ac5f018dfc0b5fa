import { ApiError } from '../../../../../platform/errors/index.ts'
import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import type { JoinLink, JoinResult } from '../../../accept-invitation/index.ts'
import { switchOrganisation } from '../../../sessions/index.ts'
import { type FieldErrors, formFields, inputField, readText } from '../../forms.ts'
import { rememberBrowser } from '../../known-browser.ts'
import { PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'
import { leadToStep, renewedCookie, sessionCookie } from './sign-in.ts'

export const setUpPage = async (services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> => {
  const token = visit.query.get('token') ?? ''
  const offer = await services.join.findOffer({ kind: 'set_up', token }, visit.now)
  return offer === undefined ? usedUp(services, visit, token) : setUpForm(visit, token, offer.organisation)
}

export async function setUp(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const ticket: JoinLink = { kind: 'set_up', token: visit.form.get('token') ?? '' }
  const offer = await services.join.findOffer(ticket, visit.now)
  if (offer === undefined) return usedUp(services, visit, ticket.token)
  if (visit.person !== undefined) return joinAsMember(services, visit, visit.person, ticket)
  const joined = await joinAsNew(services, visit, ticket, readText(visit.form, 'email') ?? '')
  return 'errors' in joined ? setUpForm(visit, ticket.token, offer.organisation, joined.errors) : joined
}

/** Makes the person who is signed in a member, and the organisation their current one. */
export async function joinAsMember(
  services: AccountRequestServices,
  { origin, language, now, nowMs }: AccountVisit,
  person: NonNullable<AccountVisit['person']>,
  ticket: JoinLink,
): Promise<AccountResponse> {
  const orgId = await services.join.joinAsMember(ticket, person.user_id, language, origin, now)
  if (orgId === undefined) return { goTo: PATHS.account }
  const session = await services.database.write((tx) => switchOrganisation(tx, person, orgId))
  return { goTo: PATHS.account, cookies: [renewedCookie(services, { person, nowMs }, session)] }
}

/** Creates the account that the form describes. Returns the errors of its fields if it cannot. */
export async function joinAsNew(
  services: AccountRequestServices,
  visit: AccountVisit,
  ticket: JoinLink,
  email: string,
): Promise<AccountResponse | { errors: FieldErrors }> {
  const { form, texts, language, origin, formToken, nowMs } = visit
  const person = {
    email,
    first_name: readText(form, 'first_name'),
    last_name: readText(form, 'last_name'),
    password: form.get('password') ?? '',
    language,
  }
  let result: JoinResult
  try {
    result = await services.join.joinAsNew(ticket, person, { origin, browser: formToken }, nowMs)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { errors: { email: error.code === 'conflict' ? texts.emailTaken : texts.invalidEmail } }
  }
  if (result.kind === 'weak_password') return { errors: { password: texts.passwordProblems[result.problem] } }
  if (result.kind === 'used') return { goTo: PATHS.signIn }
  if (result.kind === 'next_step') return leadToStep(services, result, PATHS.account)
  const cookies = [sessionCookie(services, result, nowMs), rememberBrowser(services, result.user.id)]
  return { goTo: PATHS.account, cookies }
}

/** The fields of a new person, without the address. */
export const personFields = ({ texts, form }: AccountVisit, errors: FieldErrors) => html`${inputField({
  name: 'first_name',
  label: texts.firstName,
  value: form.get('first_name'),
  autocomplete: 'given-name',
  isOptional: true,
})}
${inputField({
  name: 'last_name',
  label: texts.lastName,
  value: form.get('last_name'),
  autocomplete: 'family-name',
  isOptional: true,
})}
${inputField({
  name: 'password',
  label: texts.password,
  type: 'password',
  autocomplete: 'new-password',
  help: texts.passwordHelp,
  error: errors.password,
})}`

function setUpForm(
  visit: AccountVisit,
  token: string,
  organisation: string,
  errors: FieldErrors = {},
): AccountResponse {
  const { texts, form, person } = visit
  const title = fill(texts.setUp.title, { organisation })
  const main = html`<h1>${title}</h1>
<p>${texts.setUp.text}</p>
<form class="card" method="post" action="${PATHS.setUp}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
${
  person === undefined
    ? html`${inputField({
        name: 'email',
        label: texts.email,
        type: 'email',
        value: form.get('email'),
        autocomplete: 'username',
        error: errors.email,
      })}
${personFields(visit, errors)}
<button>${texts.setUp.submit}</button>`
    : html`<p>${fill(texts.invitation.asYou, { email: person.email })}</p><button>${texts.invitation.accept}</button>`
}
</form>`
  return { title, main, status: Object.keys(errors).length === 0 ? 200 : 400 }
}

async function usedUp(
  { join }: AccountRequestServices,
  { texts, now }: AccountVisit,
  token: string,
): Promise<AccountResponse> {
  const organisation = await join.findOwned(token, now)
  const reason = organisation === undefined ? texts.setUp.used : fill(texts.setUp.owned, { organisation })
  return {
    title: texts.signIn.title,
    main: html`<h1>${texts.signIn.title}</h1><p class="notice">${reason}</p>
<p><a class="button" href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`,
    status: 404,
  }
}
