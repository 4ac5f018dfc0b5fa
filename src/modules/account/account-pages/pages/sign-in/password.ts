import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import { formFields, inputField, usernameField } from '../../forms.ts'
import { rememberBrowser } from '../../known-browser.ts'
import { PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit, SignedInVisit } from '../../visit.ts'
import { showAccount } from '../account.ts'
import { leadToStep, placeOf, renewedCookie, sessionCookie } from './sign-in.ts'

export async function resetPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const token = visit.query.get('token') ?? ''
  const person = await services.passwords.findPerson(token, visit.now)
  return person === undefined ? usedUp(visit) : resetForm(visit, token, person.email)
}

export async function resetPassword(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { form, texts, now, nowMs } = visit
  const token = form.get('token') ?? ''
  const result = await services.passwords.reset(token, form.get('password') ?? '', placeOf(services, visit), nowMs)
  switch (result.kind) {
    case 'used':
      return usedUp(visit)
    case 'weak_password': {
      const person = await services.passwords.findPerson(token, now)
      return resetForm(visit, token, person?.email ?? '', texts.passwordProblems[result.problem])
    }
    case 'next_step':
      return leadToStep(services, result, PATHS.account)
    case 'reset': {
      const cookies = [sessionCookie(services, result, nowMs), rememberBrowser(services, result.user.id)]
      return { goTo: PATHS.account, cookies }
    }
  }
}

export async function changePassword(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, texts, person, nowMs } = visit
  const passwords = {
    current: form.get('current_password') ?? '',
    next: form.get('new_password') ?? '',
    endsGrants: form.has('disconnect'),
  }
  const result = await services.passwords.change(person, passwords, placeOf(services, visit), nowMs)
  if (result === 'wrong_password')
    return showAccount(services, visit, { current_password: texts.account.wrongPassword })
  if (typeof result === 'string') return showAccount(services, visit, { new_password: texts.passwordProblems[result] })
  if ('token' in result) return { goTo: `${PATHS.account}?saved`, cookies: [renewedCookie(services, visit, result)] }
  const tooSoon = fill(texts.signIn.tooSoon, { seconds: result.retryAfterSeconds })
  return showAccount(services, visit, { current_password: tooSoon })
}

function resetForm(visit: AccountVisit, token: string, email: string, problem?: string): AccountResponse {
  const { texts } = visit
  const main = html`<h1>${texts.newPassword}</h1>
<form class="card" method="post" action="${PATHS.resetPassword}">${formFields(visit)}
<input type="hidden" name="token" value="${token}">
${usernameField(email)}
${inputField({
  name: 'password',
  label: texts.newPassword,
  type: 'password',
  autocomplete: 'new-password',
  help: texts.passwordHelp,
  error: problem,
})}
<button>${texts.save}</button>
</form>`
  return { title: texts.newPassword, main, status: problem === undefined ? 200 : 400 }
}

const usedUp = ({ texts }: AccountVisit): AccountResponse => ({
  title: texts.newPassword,
  main: html`<h1>${texts.newPassword}</h1><p class="notice">${texts.resetUsed}</p>
<p><a class="button" href="${PATHS.signIn}">${texts.signIn.submit}</a></p>`,
  status: 404,
})
