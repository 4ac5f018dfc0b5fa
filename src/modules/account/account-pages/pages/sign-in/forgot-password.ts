import { html } from '../../../../../platform/text/html.ts'
import { formFields, inputField, readText } from '../../forms.ts'
import { PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'

export async function forgotPage({ mails }: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { texts } = visit
  const { mail } = texts
  if (!mails.canSend) return forgot(visit, html`<p class="notice">${mail.noMail} ${mail.askForReset}</p>`)
  return forgot(
    visit,
    html`<p>${mail.forgotText}</p>
<form class="card" method="post" action="${PATHS.forgotPassword}">${formFields(visit)}
${inputField({ name: 'email', label: texts.email, type: 'email', autocomplete: 'username' })}
<button>${mail.sendLink}</button></form>`,
  )
}

/** Says the same whether there is an account or not. */
export async function requestReset(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { form, texts, origin, nowMs } = visit
  if (!services.mails.canSend) return { goTo: PATHS.forgotPassword }
  services.passwords.requestReset(readText(form, 'email') ?? '', origin, nowMs)
  return forgot(visit, html`<p class="notice" role="status">${texts.mail.forgotSent}</p>`)
}

const forgot = ({ texts }: AccountVisit, content: ReturnType<typeof html>): AccountResponse => ({
  title: texts.mail.forgot,
  main: html`<h1>${texts.mail.forgot}</h1>${content}
<p><a href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`,
})
