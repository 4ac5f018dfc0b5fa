import { endSession } from '../../../modules/account/sessions/index.ts'
import { toMs } from '../../../platform/clock/index.ts'
import { html } from '../../../platform/text/html.ts'
import { formFields, inputField } from '../forms.ts'
import { readBrowser, rememberBrowser } from '../known-browser.ts'
import { PATHS } from '../layout.ts'
import type { Site } from '../site.ts'
import { fill } from '../texts/index.ts'
import type { Answer, SignedInVisit, Visit } from '../visit.ts'

export async function signInPage(_site: Site, visit: Visit): Promise<Answer> {
  return visit.person === undefined ? signInForm(visit) : { goTo: PATHS.account }
}

export async function signIn(site: Site, visit: Visit): Promise<Answer> {
  const { form, texts, origin, language, nowMs } = visit
  const credentials = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
  const attempt = { ...credentials, origin, knownUserId: readBrowser(site, visit), language }
  const result = await site.signIn.signIn(attempt, nowMs)
  switch (result.kind) {
    case 'refused':
      return signInForm(visit, texts.signIn.refused, 401)
    case 'too_soon':
      return signInForm(visit, fill(texts.signIn.tooSoon, { seconds: result.retryAfterSeconds }), 429)
    case 'signed_in':
      return {
        goTo: nextPath(form.get('next')),
        cookies: [sessionCookie(site, result, nowMs), rememberBrowser(site, result.user.id)],
      }
  }
}

export async function signOut(site: Site, { person }: SignedInVisit): Promise<Answer> {
  await site.database.write((tx) => endSession(tx, person.user_id, person.id))
  site.sessions.forget(person.token)
  return { goTo: PATHS.start, cookies: [site.sessions.cookie.clear()] }
}

/** The cookie that signs a person in. */
export const sessionCookie = (
  { sessions }: Site,
  { token, expiresAt }: { token: string; expiresAt: string },
  nowMs: number,
): string => sessions.cookie.set(token, Math.floor((toMs(expiresAt) - nowMs) / 1000))

function signInForm(visit: Visit, problem?: string, status = 200): Answer {
  const { texts, form, query } = visit
  const { signIn } = texts
  const main = html`<h1>${signIn.title}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<form class="card" method="post" action="${PATHS.signIn}">${formFields(visit)}
<input type="hidden" name="next" value="${form.get('next') ?? query.get('next') ?? ''}">
${inputField({ name: 'email', label: texts.email, type: 'email', value: form.get('email'), autocomplete: 'username' })}
${inputField({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' })}
<button>${signIn.submit}</button>
</form>
<p><a href="${PATHS.forgotPassword}">${texts.mail.forgot}</a></p>`
  return { title: signIn.title, main, status }
}

/** Only to our own pages: `//` and `/\` begin the address of another site. */
const nextPath = (next: string | null): string =>
  /^\/account(?:\/[\w/-]*)?$/.test(next ?? '') ? (next as string) : PATHS.account
