import { toMs } from '../../../../../platform/clock/index.ts'
import { fill } from '../../../../../platform/text/fill.ts'
import { html } from '../../../../../platform/text/html.ts'
import type { NextStep, SignInResult } from '../../../sign-in/index.ts'
import { formFields, inputField } from '../../forms.ts'
import { readBrowser, rememberBrowser } from '../../known-browser.ts'
import { PATHS, stepPath } from '../../layout.ts'
import { nextPath } from '../../next-path.ts'
import { relyingParty } from '../../passkey-area.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, AccountVisit, SignedInVisit } from '../../visit.ts'

export async function signInPage(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  return visit.person === undefined ? signInForm(services, visit) : { goTo: nextPath(visit.query.get('next')) }
}

export async function signIn(services: AccountRequestServices, visit: AccountVisit): Promise<AccountResponse> {
  const { form, texts, nowMs } = visit
  const attempt = { email: form.get('email') ?? '', password: form.get('password') ?? '', ...placeOf(services, visit) }
  const result = await services.signIn.signIn(attempt, nowMs)
  return answerSignIn(services, visit, result, (problem, status) => signInForm(services, visit, problem, status), {
    refused: texts.signIn.refused,
  })
}

/** Where somebody signs in. */
export const placeOf = (services: AccountRequestServices, visit: AccountVisit) => ({
  origin: visit.origin,
  browser: visit.formToken,
  knownUserId: readBrowser(services, visit),
  language: visit.language,
})

/** What follows from an attempt to sign in. `again` shows the form with what went wrong. */
export function answerSignIn(
  services: AccountRequestServices,
  visit: AccountVisit,
  result: SignInResult,
  again: (problem: string, status: number) => AccountResponse | Promise<AccountResponse>,
  { refused }: { refused: string },
): AccountResponse | Promise<AccountResponse> {
  const { form, texts, nowMs } = visit
  const next = nextPath(form.get('next'))
  switch (result.kind) {
    case 'refused':
      return again(refused, 401)
    case 'too_soon':
      return again(fill(texts.signIn.tooSoon, { seconds: result.retryAfterSeconds }), 429)
    case 'next_step':
      return leadToStep(services, result, next)
    case 'signed_in':
      return {
        goTo: next,
        cookies: [
          sessionCookie(services, result, nowMs),
          rememberBrowser(services, result.user.id),
          services.stepCookie.clear(),
        ],
      }
  }
}

const STEP_COOKIE_SECONDS = 5 * 60

/** The browser keeps the ticket for the step in a cookie. */
export const leadToStep = (
  { stepCookie }: AccountRequestServices,
  { step, ticket }: NextStep,
  next: string,
): AccountResponse => ({
  goTo: `${stepPath(step)}?next=${encodeURIComponent(next)}`,
  cookies: [stepCookie.set(ticket, STEP_COOKIE_SECONDS)],
})

/** The cookie that signs a person in. */
export const sessionCookie = (
  { sessions }: AccountRequestServices,
  { token, expiresAt }: { token: string; expiresAt: string },
  nowMs: number,
): string => sessions.cookie.set(token, Math.floor((toMs(expiresAt) - nowMs) / 1000))

/** The cookie with the new token of a session. The old token stops working. */
export function renewedCookie(
  services: AccountRequestServices,
  { person, nowMs }: Pick<SignedInVisit, 'person' | 'nowMs'>,
  renewed: { token: string; expiresAt: string },
): string {
  services.sessions.forget(person.token)
  return sessionCookie(services, renewed, nowMs)
}

function signInForm(
  services: AccountRequestServices,
  visit: AccountVisit,
  problem?: string,
  status = 200,
): AccountResponse {
  const { texts, form, query } = visit
  const { signIn } = texts
  const next = form.get('next') ?? query.get('next') ?? ''
  const main = html`<h1>${signIn.title}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<form class="card" method="post" action="${PATHS.signIn}">${formFields(visit)}
<input type="hidden" name="next" value="${next}">
${inputField({ name: 'email', label: texts.email, type: 'email', value: form.get('email'), autocomplete: 'username' })}
${inputField({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' })}
<button>${signIn.submit}</button>
</form>
<p class="other"><a href="${PATHS.forgotPassword}">${texts.mail.forgot}</a></p>
${
  relyingParty(services, visit) &&
  html`<p class="other"><a class="button plain" href="${PATHS.signInPasskey}?next=${encodeURIComponent(next)}">${texts.factors.signInWithPasskey}</a></p>`
}`
  return { title: signIn.title, main, status }
}
