import { fill } from '../../../../platform/text/fill.ts'
import { html } from '../../../../platform/text/html.ts'
import { formFields } from '../forms.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, AccountVisit, SignedInVisit } from '../visit.ts'
import { showAccount } from './account.ts'

export async function requestEmailChange(
  services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form, texts, person, origin, nowMs } = visit
  if (!services.mails.canSend) return { goTo: PATHS.account }
  switch (await services.emailChanges.request(person, form.get('new_email') ?? '', origin, nowMs)) {
    case 'sent':
      return { goTo: `${PATHS.account}?email_sent` }
    case 'invalid_email':
      return showAccount(services, visit, { new_email: texts.invalidEmail })
    case 'too_many':
      return showAccount(services, visit, { new_email: texts.mail.tooMany })
  }
}

/** Opening the link changes nothing yet: mail programs open links to check them. */
export async function changeEmailPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { texts, query, now } = visit
  const token = query.get('token') ?? ''
  const email = await services.emailChanges.findAddress(token, now)
  if (email === undefined) return said(visit, texts.resetUsed, 404)
  const main = html`<h1>${texts.mail.confirmTitle}</h1>
<p>${fill(texts.mail.confirmText, { email })}</p>
<form class="card" method="post" action="${PATHS.changeEmail}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
<button>${texts.mail.confirm}</button></form>`
  return { title: texts.mail.confirmTitle, main }
}

export async function confirmEmailChange(
  services: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { form, texts, person, origin, nowMs } = visit
  const result = await services.emailChanges.confirm(form.get('token') ?? '', person?.id ?? null, origin, nowMs)
  if (result === 'used') return said(visit, texts.resetUsed, 404)
  if (result === 'taken') return said(visit, texts.mail.taken, 409)
  if (person !== undefined) services.sessions.forget(person.token)
  return said(visit, texts.mail.confirmed, 200)
}

const said = ({ texts }: AccountVisit, text: string, status: number): AccountResponse => ({
  title: texts.mail.confirmTitle,
  main: html`<h1>${texts.mail.confirmTitle}</h1><p class="notice" role="status">${text}</p>
<p><a class="button" href="${PATHS.account}">${texts.start.account}</a></p>`,
  status,
})
