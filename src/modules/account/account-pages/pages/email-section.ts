import { type Html, html } from '../../../../platform/text/html.ts'
import { type FieldErrors, formFields, inputField } from '../forms.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { SignedInVisit } from '../visit.ts'

/** The part of the account page where a person changes their address. */
export function emailSection({ mails }: AccountRequestServices, visit: SignedInVisit, errors: FieldErrors): Html {
  const { texts, form, query } = visit
  const { mail } = texts
  if (!mails.canSend) {
    return html`<section><h2>${mail.changeEmail}</h2><p>${mail.noMail} ${mail.askForChange}</p></section>`
  }
  return html`<section><h2>${mail.changeEmail}</h2>
${query.has('email_sent') && html`<p class="notice" role="status">${mail.changeSent}</p>`}
<form method="post" action="/account/email">${formFields(visit)}
${inputField({
  name: 'new_email',
  label: mail.newEmail,
  type: 'email',
  value: form.get('new_email'),
  autocomplete: 'off',
  help: mail.changeHelp,
  error: errors.new_email,
})}
<button>${mail.sendLink}</button></form></section>`
}
