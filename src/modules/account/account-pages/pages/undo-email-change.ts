import { fill } from '../../../../platform/text/fill.ts'
import { html } from '../../../../platform/text/html.ts'
import { formFields } from '../forms.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, AccountVisit } from '../visit.ts'

/** Opening the link changes nothing yet: mail programs open links to check them. */
export async function undoEmailChangePage(
  { emailChanges }: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { texts, query, now } = visit
  const token = query.get('token') ?? ''
  const email = await emailChanges.findUndone(token, now)
  if (email === undefined) return said(visit, texts.resetUsed, 404)
  const main = html`<h1>${texts.mail.undoTitle}</h1>
<p>${fill(texts.mail.undoText, { email })}</p>
<form class="card" method="post" action="${PATHS.undoEmailChange}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
<button>${texts.mail.undo}</button></form>`
  return { title: texts.mail.undoTitle, main }
}

/** Leads to a new password: somebody else knows the old one. */
export async function undoEmailChange(
  { emailChanges, sessions }: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { form, texts, person, origin, nowMs } = visit
  const result = await emailChanges.undo(form.get('token') ?? '', origin, nowMs)
  if (result.kind === 'used') return said(visit, texts.resetUsed, 404)
  if (result.kind === 'taken') return said(visit, texts.mail.undoTaken, 409)
  if (person !== undefined) sessions.forget(person.token)
  return { goTo: `${PATHS.resetPassword}?token=${result.resetToken}` }
}

const said = ({ texts }: AccountVisit, text: string, status: number): AccountResponse => ({
  title: texts.mail.undoTitle,
  main: html`<h1>${texts.mail.undoTitle}</h1><p class="notice" role="status">${text}</p>
<p><a class="button" href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`,
  status,
})
