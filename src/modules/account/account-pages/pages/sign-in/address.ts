import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import { formFields } from '../../forms.ts'
import { PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'

/** The password was right, but nobody has proved yet that the address belongs to the person. They got a mail. */
export async function addressStepPage(
  { signIn, stepCookie }: AccountRequestServices,
  { texts, request, formToken, nowMs }: AccountVisit,
): Promise<AccountResponse> {
  const ticket = stepCookie.read(request.headers.cookie)
  const person = ticket && (await signIn.findPersonAt('address_step', ticket, formToken, nowMs))
  if (!person) return { goTo: PATHS.signIn, cookies: [stepCookie.clear()] }
  const main = html`<h1>${texts.mail.confirmTitle}</h1>
<p class="notice" role="status">${fill(texts.mail.addressSent, { email: person.email })}</p>
<p><a class="button" href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`
  return { title: texts.mail.confirmTitle, main }
}

/** Opening the link confirms nothing yet: mail programs open links to check them. */
export async function confirmAddressPage(
  { addresses }: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { texts, query, now } = visit
  const token = query.get('token') ?? ''
  const email = await addresses.findAddress(token, now)
  if (email === undefined) return said(visit, texts.resetUsed, 404)
  const main = html`<h1>${texts.mail.confirmTitle}</h1>
<p>${fill(texts.mail.addressText, { email })}</p>
<form class="card" method="post" action="${PATHS.confirmEmail}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
<button>${texts.mail.confirm}</button></form>`
  return { title: texts.mail.confirmTitle, main }
}

export async function confirmAddress(
  { addresses }: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { form, texts, origin, now } = visit
  const isConfirmed = await addresses.confirm(form.get('token') ?? '', origin, now)
  return isConfirmed ? said(visit, texts.mail.addressConfirmed, 200) : said(visit, texts.resetUsed, 404)
}

const said = ({ texts }: AccountVisit, text: string, status: number): AccountResponse => ({
  title: texts.mail.confirmTitle,
  main: html`<h1>${texts.mail.confirmTitle}</h1><p class="notice" role="status">${text}</p>
<p><a class="button" href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`,
  status,
})
