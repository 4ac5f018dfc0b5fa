import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import { hasFactors } from '../../../factors/index.ts'
import { FORM_TOKEN, formFields, inputField, usernameField } from '../../forms.ts'
import { readBrowser } from '../../known-browser.ts'
import { PATHS } from '../../layout.ts'
import { nextPath } from '../../next-path.ts'
import { passkeyArea, relyingParty } from '../../passkey-area.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../../visit.ts'
import { renewedCookie } from './sign-in.ts'

export const confirmPage = (services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  confirmForm(services, visit)

/** Asks who the person is before the form that they have sent is applied. The page keeps what they entered. */
export function confirmFirst(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const fields = new URLSearchParams(visit.form)
  fields.delete(FORM_TOKEN)
  const form = new URLSearchParams({ action: visit.path, fields: fields.toString() })
  return confirmForm(services, { ...visit, form }, undefined, 403)
}

/** Afterwards, the person goes on to the next page, or the form that they had sent before is applied. */
export async function confirm(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, texts, person, origin, formToken, nowMs } = visit
  const rp = relyingParty(services, visit)
  const credential = form.get('credential')
  const sent =
    credential !== null && rp !== undefined
      ? { credential, browser: formToken, rp }
      : { password: form.get('password') ?? '', code: form.get('code') ?? '' }
  const result = await services.confirm.confirm(
    person,
    sent,
    { origin, knownUserId: readBrowser(services, visit) },
    nowMs,
  )
  if (result.kind === 'too_soon') {
    return confirmForm(services, visit, fill(texts.signIn.tooSoon, { seconds: result.retryAfterSeconds }), 429)
  }
  if (result.kind === 'refused') {
    const problem = 'credential' in sent ? texts.factors.passkeyFailed : texts.factors.confirmRefused
    return confirmForm(services, visit, problem, 401)
  }
  const cookies = [renewedCookie(services, visit, result)]
  const action = form.get('action')
  if (action === null) return { goTo: nextPath(form.get('next')), cookies }
  return { apply: { path: action, form: new URLSearchParams(form.get('fields') ?? '') }, token: result.token, cookies }
}

async function confirmForm(
  services: AccountRequestServices,
  visit: SignedInVisit,
  problem?: string,
  status = 200,
): Promise<AccountResponse> {
  const { texts, person, formToken, nowMs } = visit
  const { factors } = texts
  const rp = relyingParty(services, visit)
  const options =
    rp && (await services.proofs.askForPasskey('confirm', person.user_id, { browser: formToken, rp }, nowMs))
  const kept = keptFields(visit)
  const main = html`<h1>${factors.confirm}</h1>
<p>${factors.confirmText}</p>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<div class="card narrow"><form method="post" action="${PATHS.confirm}">${formFields(visit)}${kept}
${usernameField(person.email)}
${inputField({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' })}
${
  (await hasFactors(services.database.read, person.user_id)) &&
  inputField({ name: 'code', label: factors.code, autocomplete: 'one-time-code', help: factors.codeHelp })
}
<button>${factors.goOn}</button></form>
${options && passkeyArea(visit, { action: PATHS.confirm, options, button: factors.usePasskey, fields: kept })}</div>`
  return { title: factors.confirm, main, status, script: options === undefined ? undefined : 'passkeys' }
}

/** What the person wanted to do. */
const keptFields = ({ form, query }: SignedInVisit) => {
  const action = form.get('action')
  return action === null
    ? html`<input type="hidden" name="next" value="${form.get('next') ?? query.get('next') ?? ''}">`
    : html`<input type="hidden" name="action" value="${action}"><input type="hidden" name="fields" value="${form.get('fields')}">`
}
