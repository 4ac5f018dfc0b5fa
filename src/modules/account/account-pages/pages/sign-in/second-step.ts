import { html } from '../../../../../platform/text/html.ts'
import type { User } from '../../../users/index.ts'
import { formFields, inputField } from '../../forms.ts'
import { PATHS, stepPath } from '../../layout.ts'
import { passkeyArea, relyingParty } from '../../passkey-area.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'
import { answerSignIn, placeOf } from './sign-in.ts'

export async function secondStepPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const user = await findUser(services, visit)
  return user === undefined ? beginAgain(services) : secondStepForm(services, visit, user)
}

export async function takeSecondStep(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { form, texts, nowMs } = visit
  const user = await findUser(services, visit)
  if (user === undefined) return beginAgain(services)
  const rp = relyingParty(services, visit)
  const credential = form.get('credential')
  const factor = credential !== null && rp !== undefined ? { credential, rp } : { code: form.get('code') ?? '' }
  const result = await services.signIn.takeSecondStep(user, factor, placeOf(services, visit), nowMs)
  return answerSignIn(
    services,
    visit,
    result,
    (problem, status) => secondStepForm(services, visit, user, problem, status),
    {
      refused: 'credential' in factor ? texts.factors.passkeyFailed : texts.factors.wrongCode,
    },
  )
}

/** The person who has entered the right password in this browser. */
async function findUser(
  { signIn, stepCookie }: AccountRequestServices,
  { request, formToken, nowMs }: AccountVisit,
): Promise<User | undefined> {
  const ticket = stepCookie.read(request.headers.cookie)
  return ticket === undefined ? undefined : signIn.findPersonAt('second_step', ticket, formToken, nowMs)
}

const beginAgain = ({ stepCookie }: AccountRequestServices): AccountResponse => ({
  goTo: PATHS.signIn,
  cookies: [stepCookie.clear()],
})

async function secondStepForm(
  services: AccountRequestServices,
  visit: AccountVisit,
  user: User,
  problem?: string,
  status = 200,
): Promise<AccountResponse> {
  const { texts, form, query, formToken, nowMs } = visit
  const { factors } = texts
  const rp = relyingParty(services, visit)
  const options =
    rp && (await services.proofs.askForPasskey('second_factor', user.id, { browser: formToken, rp }, nowMs))
  const next = html`<input type="hidden" name="next" value="${form.get('next') ?? query.get('next') ?? ''}">`
  const action = stepPath('second_step')
  const main = html`<h1>${factors.secondStep}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<div class="card"><form method="post" action="${action}">${formFields(visit)}${next}
${inputField({ name: 'code', label: factors.code, autocomplete: 'one-time-code', help: factors.codeHelp })}
<button>${factors.goOn}</button></form>
${options && passkeyArea(visit, { action, options, button: factors.usePasskey, fields: next })}</div>`
  return { title: factors.secondStep, main, status, script: options === undefined ? undefined : 'passkeys' }
}
