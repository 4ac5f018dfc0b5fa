import { timestamp, toMs } from '../../../../../platform/clock/index.ts'
import { fill } from '../../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../../platform/text/html.ts'
import { apexOf, LOSE_AFTER_MS } from '../../../../domains/custom-domains/index.ts'
import { formatTime, formatTimeLeft } from '../../format.ts'
import { type FieldErrors, formFields } from '../../forms.ts'
import { mayUse, notice, PATHS, refusal } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../../visit.ts'
import { type Check, checkList, recordList } from './domain-records.ts'
import { fallbackSection, routeSection } from './domain-routes.ts'
import { type Domain, describeLastCheck, nameOf, stateLabel, stateOf } from './domain-state.ts'

/** What came of a form: the result of "Check now", or the errors of fields. */
interface DomainFormResult {
  message?: string
  isBad?: boolean
  checks?: Check[]
  errors?: FieldErrors
}

export const domainPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showDomain(visit, visit.query.get('id') ?? '')

export async function checkDomain(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { tooSoon, results } = visit.texts.domains
  const id = visit.form.get('id') ?? ''
  const { status, body } = await visit.call('custom-domains.verify', { params: { id } })
  if (status === 429) return showDomain(visit, id, { message: tooSoon, isBad: true })
  if (status === 403 || status >= 500) return refusal(visit, status)
  if (status !== 200) return notice(visit, 'notFound', 404)
  // Nothing that was not found proves anything.
  if (body.status === 'error') return showDomain(visit, id, { message: results.error, isBad: true })
  const checks: Check[] = body.checks
  // Not the state: a verified domain stays verified for some days when its records become wrong.
  const isBad = checks.some(({ ok }) => !ok)
  return showDomain(visit, id, { message: isBad ? results.wrong : results.correct, isBad, checks })
}

export async function disconnectDomain(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  const { status } = await visit.call('custom-domains.delete', { params: { id } })
  if (status === 403) return refusal(visit, status)
  if (status === 409) return showDomain(visit, id, { message: visit.texts.domains.hasCodes, isBad: true })
  return { goTo: PATHS.domains }
}

export async function showDomain(
  visit: SignedInVisit,
  id: string,
  { message, isBad, checks = [], errors = {} }: DomainFormResult = {},
): Promise<AccountResponse> {
  const { domains, account } = visit.texts
  const { status, body } = await visit.call('custom-domains.get', { params: { id } })
  if (status === 403 || status >= 500) return refusal(visit, status)
  if (status !== 200) return notice(visit, 'notFound', 404)
  const domain = body as Domain
  const name = nameOf(domain)
  const mayManage = mayUse(visit, 'domains.manage')
  const main = html`<p><a href="${PATHS.domains}">${domains.title}</a></p>
<h1>${name}</h1>
<p class="muted">${name !== domain.domain && html`<code translate="no">${domain.domain}</code> · `}${describeLastCheck(visit, domain)}${stateLabel(visit, domain)}</p>
${visit.query.has('saved') && html`<p class="notice" role="status">${account.saved}</p>`}
${message && html`<p class="notice${isBad && ' bad'}" role="status">${message}</p>`}
<section>${nextStep(visit, domain)}${mayManage && checkForm(visit, domain)}</section>
${recordSection(visit, domain, checks)}
${await routeSection(visit, domain, { mayManage, errors })}
${mayManage && html`${fallbackSection(visit, domain, errors)}${disconnection(visit, domain)}`}`
  return { title: name, main, script: 'copy', status: Object.keys(errors).length === 0 ? 200 : 400 }
}

/** What the state means, and what to do about it. */
function nextStep({ texts, language, nowMs }: SignedInVisit, domain: Domain): Html {
  const { next, timeLeft, checksItself } = texts.domains
  const { verified, wrong_since } = domain
  if (!verified || wrong_since === null) {
    return html`<p>${next[stateOf(domain)]}</p>${!verified && html`<p class="muted">${checksItself}</p>`}`
  }
  const lostMs = toMs(wrong_since) + LOSE_AFTER_MS
  const dates = { since: formatTime(wrong_since, language), until: formatTime(timestamp(lostMs), language) }
  return html`<p>${fill(next.warned, dates)}</p>
<p><strong>${fill(timeLeft, { time: formatTimeLeft(lostMs - nowMs, language) })}</strong></p>`
}

const checkForm = (visit: SignedInVisit, domain: Domain): Html =>
  html`<form method="post" action="${PATHS.domain}">${formFields(visit)}<input type="hidden" name="id" value="${domain.id}">
<button${stateOf(domain) === 'verified' && html` class="plain"`}>${visit.texts.domains.check}</button></form>`

/** A verified domain shows only what a check has found. */
function recordSection(visit: SignedInVisit, domain: Domain, checks: readonly Check[]): Html | undefined {
  const { domains } = visit.texts
  if (checks.length === 0 && domain.verification_records.length === 0) return undefined
  return html`<section><h2>${domains.records}</h2>
<p class="muted">${fill(domains.recordNameHelp, { domain: apexOf(domain.domain) })}</p>
${checks.length > 0 ? checkList(visit, checks) : recordList(visit, domain)}</section>`
}

function disconnection(visit: SignedInVisit, domain: Domain): Html {
  const { domains } = visit.texts
  return html`<section><h2>${domains.disconnect}</h2><p>${domains.disconnectText}</p>
<form method="post" action="/account/domain/disconnect" class="actions">${formFields(visit)}<input type="hidden" name="id" value="${domain.id}">
<label class="check"><input type="checkbox" required>${fill(domains.disconnectConfirm, { domain: nameOf(domain) })}</label>
<p class="other"><button class="bad">${domains.disconnect}</button></p></form></section>`
}
