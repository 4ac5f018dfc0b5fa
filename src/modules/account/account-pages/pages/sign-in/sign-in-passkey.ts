import { html } from '../../../../../platform/text/html.ts'
import { notice, PATHS } from '../../layout.ts'
import { passkeyArea, relyingParty } from '../../passkey-area.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit } from '../../visit.ts'
import { answerSignIn, placeOf } from './sign-in.ts'

/** A page of its own, so that the page with the password runs no script. */
export async function passkeyPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  return visit.person === undefined ? askForPasskey(services, visit) : { goTo: PATHS.account }
}

export async function signInWithPasskey(
  services: AccountRequestServices,
  visit: AccountVisit,
): Promise<AccountResponse> {
  const { form, texts, nowMs } = visit
  const rp = relyingParty(services, visit)
  if (rp === undefined) return notice(visit, 'notFound', 404)
  const sent = { credential: form.get('credential') ?? '', rp }
  const result = await services.signIn.withPasskey(sent, placeOf(services, visit), nowMs)
  return answerSignIn(services, visit, result, (problem, status) => askForPasskey(services, visit, problem, status), {
    refused: texts.factors.passkeyFailed,
  })
}

async function askForPasskey(
  services: AccountRequestServices,
  visit: AccountVisit,
  problem?: string,
  status = 200,
): Promise<AccountResponse> {
  const { texts, form, query, formToken, nowMs } = visit
  const { factors, signIn } = texts
  const rp = relyingParty(services, visit)
  const options = rp && (await services.proofs.askForPasskey('sign_in', null, { browser: formToken, rp }, nowMs))
  if (options === undefined) return notice(visit, 'notFound', 404)
  const next = form.get('next') ?? query.get('next') ?? ''
  const main = html`<h1>${factors.signInWithPasskey}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<div class="card">${passkeyArea(visit, {
    action: PATHS.signInPasskey,
    options,
    button: factors.usePasskey,
    fields: html`<input type="hidden" name="next" value="${next}">`,
    isAtOnce: problem === undefined,
  })}</div>
<p class="other"><a href="${PATHS.signIn}?next=${encodeURIComponent(next)}">${factors.withPassword}</a></p>`
  return { title: signIn.title, main, status, script: 'passkeys' }
}
