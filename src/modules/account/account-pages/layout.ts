import { pagePolicy } from '../../../platform/http/server/security-headers.ts'
import { pageLanguage } from '../../../platform/text/direction.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { CONSENT_PATH } from '../oauth/index.ts'
import { CONFIRM_PATH } from '../sessions/index.ts'
import type { SignInStep } from '../sign-in/index.ts'
import { formFields } from './forms.ts'
import { SCRIPTS } from './script.ts'
import { STYLE_URL } from './style.ts'
import type { AccountPage, AccountResponse, AccountVisit } from './visit.ts'

/** Nothing is loaded but the style sheet of all pages, and what the page says it needs. */
export const policyFor = ({ script, showsImages, formsLeadTo }: Omit<AccountPage, 'title' | 'main'>): string =>
  pagePolicy(
    ["style-src 'self'", ...(script ? ["script-src 'self'"] : []), ...(showsImages ? ["img-src 'self'"] : [])],
    formsLeadTo === undefined ? "'self'" : `'self' ${formsLeadTo}`,
  )

export const PATHS = {
  start: '/',
  account: '/account',
  signIn: '/account/sign-in',
  signInPasskey: '/account/sign-in/passkey',
  confirm: CONFIRM_PATH,
  signOut: '/account/sign-out',
  setUp: '/account/set-up',
  invitation: '/account/invitation',
  resetPassword: '/account/reset-password',
  addTotp: '/account/factors/totp',
  addPasskey: '/account/factors/passkey',
  removeFactor: '/account/factors/remove',
  recoveryCodes: '/account/factors/recovery-codes',
  organisation: '/account/organisation',
  forgotPassword: '/account/forgot-password',
  changeEmail: '/account/change-email',
  undoEmailChange: '/account/undo-email-change',
  confirmEmail: '/account/confirm-email',
  team: '/account/team',
  keys: '/account/api-keys',
  domains: '/account/domains',
  domain: '/account/domain',
  submissions: '/account/submissions',
  submission: '/account/submission',
  webhooks: '/account/webhooks',
  deliveries: '/account/webhooks/deliveries',
  code: '/account/code',
  audit: '/account/audit-log',
  consent: CONSENT_PATH,
  applications: '/account/applications',
} as const

/** Each step of signing in has a page, named after it. */
export const stepPath = (step: SignInStep): string => `${PATHS.signIn}/${step.replaceAll('_', '-')}`

export function renderPage(visit: AccountVisit, page: AccountPage): string {
  const { texts, language, person } = visit
  return html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${page.title} – Waymark</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${STYLE_URL}">
${page.script && html`<script type="module" src="${SCRIPTS[page.script].url}"></script>`}
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
${person !== undefined && navigation(visit)}
<main id="content"${person === undefined && html` class="alone"`}>
${page.main}
</main>
</body>
</html>
`.toString()
}

function navigation(visit: AccountVisit): Html {
  const { texts, path } = visit
  const links: [string, string][] = [[PATHS.account, texts.account.title]]
  if (visit.person?.credential !== undefined) links.push([PATHS.applications, texts.consent.applications])
  if (mayUse(visit, 'team.view')) links.push([PATHS.team, texts.team.title])
  if (mayUse(visit, 'submissions.view')) links.push([PATHS.submissions, texts.submissions.title])
  if (mayUse(visit, 'domains.view')) links.push([PATHS.domains, texts.domains.title])
  if (mayUse(visit, 'webhooks.view')) links.push([PATHS.webhooks, texts.webhooks.title])
  if (mayUse(visit, 'team.manage')) {
    links.push([PATHS.keys, texts.keys.title], [PATHS.audit, texts.audit.title])
    links.push([PATHS.organisation, texts.organisation.title])
  }
  return html`<header class="top"><div>
<a class="brand" href="${PATHS.start}">Waymark</a>
<nav aria-label="${texts.account.title}">${links.map(
    ([to, label]) => html` <a href="${to}"${to === path && html` aria-current="page"`}>${label}</a>`,
  )}</nav>
<form method="post" action="${PATHS.signOut}">${formFields(visit)}<button>${texts.signOut}</button></form>
</div></header>`
}

/** Whether to offer what needs this scope. The API decides whether the person may do it. */
export function mayUse({ person }: AccountVisit, scope: string): boolean {
  const scopes = person?.credential?.scopes
  return scopes !== undefined && (scopes === 'all' || scopes.has(scope))
}

/** Explains that a call of the API was refused: by the role, or because it cannot be answered now. */
export const refusal = (visit: AccountVisit, status: number): AccountResponse =>
  notice(visit, status === 403 ? 'notAllowed' : 'unavailable', status)

/** Explains that a form cannot be applied. The message says what to change. */
export const invalid = ({ texts }: AccountVisit, message: string, status: number): AccountResponse => ({
  title: texts.invalid,
  main: html`<h1>${texts.invalid}</h1><p class="notice bad" role="alert">${message}</p>
<p><a href="${PATHS.account}">${texts.account.title}</a></p>`,
  status,
})

type NoticeKind = 'notFound' | 'expired' | 'switched' | 'unavailable' | 'notAllowed' | 'invalidRequest'

/** A page that only says something. */
export function notice({ texts }: AccountVisit, kind: NoticeKind, status: number): AccountResponse {
  const { title, text } = kind === 'invalidRequest' ? texts.consent.invalidRequest : texts[kind]
  return { title, main: html`<h1>${title}</h1><p>${text}</p><p><a href="${PATHS.start}">Waymark</a></p>`, status }
}
