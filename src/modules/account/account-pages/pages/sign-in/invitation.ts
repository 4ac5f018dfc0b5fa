import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import type { JoinLink, Offer } from '../../../accept-invitation/index.ts'
import { type FieldErrors, formFields, usernameField } from '../../forms.ts'
import { PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'
import { joinAsMember, joinAsNew, personFields } from './set-up.ts'

export async function invitationPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const token = visit.query.get('token') ?? ''
  const offer = await services.join.findOffer({ kind: 'invitation', token }, visit.now)
  return offer === undefined ? usedUp(visit) : invitationForm(visit, token, offer)
}

export async function acceptInvitation(
  services: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { form, person, origin, now } = visit
  const ticket: JoinLink = { kind: 'invitation', token: form.get('token') ?? '' }
  const offer = await services.join.findOffer(ticket, now)
  if (offer === undefined) return usedUp(visit)
  if (form.has('decline')) {
    await services.join.decline(ticket.token, person?.user_id ?? null, origin, now)
    return said(visit, visit.texts.invitation.declined)
  }
  if (person !== undefined) {
    return isFor(offer, person)
      ? joinAsMember(services, visit, person, ticket)
      : invitationForm(visit, ticket.token, offer)
  }
  const joined = await joinAsNew(services, visit, ticket, offer.email ?? '')
  return 'errors' in joined ? invitationForm(visit, ticket.token, offer, joined.errors) : joined
}

/** Only the person that the invitation was sent to can accept it. */
const isFor = ({ email }: Offer, person: { email: string }): boolean =>
  email !== null && email.toLowerCase() === person.email.toLowerCase()

function invitationForm(visit: AccountVisit, token: string, offer: Offer, errors: FieldErrors = {}): AccountResponse {
  const { texts, person } = visit
  const { invitation, roles } = texts
  const email = offer.email ?? ''
  const title = fill(invitation.title, { organisation: offer.organisation })
  const isOther = person !== undefined && !isFor(offer, person)
  const main = html`<h1>${title}</h1>
<p>${fill(invitation.text, { role: roles[offer.role], email })}</p>
${
  isOther
    ? html`<p class="notice">${fill(invitation.otherPerson, { email })}</p>`
    : html`<form class="card" method="post" action="${PATHS.invitation}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
${usernameField(email)}
${errors.email && html`<p class="notice bad" role="alert">${errors.email}</p>`}
${person === undefined ? html`<p>${invitation.newPerson}</p>${personFields(visit, errors)}` : html`<p>${fill(invitation.asYou, { email })}</p>`}
<p class="inline"><button>${invitation.accept}</button>
<button class="plain" name="decline" value="1" formnovalidate>${invitation.decline}</button></p>
</form>`
}`
  return { title, main, status: Object.keys(errors).length === 0 ? 200 : 400 }
}

const usedUp = (visit: AccountVisit): AccountResponse => ({ ...said(visit, visit.texts.invitation.used), status: 404 })

const said = ({ texts }: AccountVisit, text: string) => ({
  title: texts.team.invite,
  main: html`<p class="notice">${text}</p><p><a href="${PATHS.start}">Waymark</a></p>`,
})
