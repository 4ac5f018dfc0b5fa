import { DAY_MS, timestamp } from '../../../../platform/clock/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { AREAS, EVERYTHING, NAMED_SCOPES } from '../../scopes/index.ts'
import { formatTime } from '../format.ts'
import { formFields, inputField } from '../forms.ts'
import { PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

export const keysPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showKeys(visit)

/** How long a new key is valid, by the value in the form. */
const PERIOD_DAYS = { never: null, days30: 30, days90: 90, year: 365 } as const
type Period = keyof typeof PERIOD_DAYS
const PERIODS = Object.keys(PERIOD_DAYS) as Period[]

export async function createKey({ clock }: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form } = visit
  const scopes = readScopes(form)
  const { status, body } = await visit.call('api-keys.create', {
    body: {
      name: form.get('name'),
      expires_at: toExpiry(form.get('valid_for'), clock()),
      scopes: scopes.length === 0 ? null : scopes,
    },
  })
  return status === 201 ? showKeys(visit, { created: body.api_key }) : showKeys(visit, { problem: body.message })
}

/** `manage` includes `view`. What must be named comes on top of everything if nothing else is chosen. */
function readScopes(form: URLSearchParams): string[] {
  const scopes = [...new Set(form.getAll('scopes'))].filter(
    (scope, _, all) => !scope.endsWith('.view') || !all.includes(scope.replace(/view$/, 'manage')),
  )
  const isNamedOnly = scopes.length > 0 && scopes.every((scope) => (NAMED_SCOPES as string[]).includes(scope))
  return isNamedOnly ? [EVERYTHING, ...scopes] : scopes
}

/** Another value than the form has stays as it is, and the API refuses it: it must not become a key without an end. */
function toExpiry(value: string | null, nowMs: number): string | null {
  const period = PERIODS.find((name) => name === (value ?? 'never'))
  if (period === undefined) return value
  const days = PERIOD_DAYS[period]
  return days === null ? null : timestamp(nowMs + days * DAY_MS)
}

export async function changeKey(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form } = visit
  const action = ['pause', 'resume', 'revoke'].find((name) => form.has(name))
  if (action === undefined) return { goTo: PATHS.keys }
  const { status, body } = await visit.call(`api-keys.${action}`, { params: { id: form.get('id') ?? '' } })
  return status === 200 ? { goTo: PATHS.keys } : showKeys(visit, { problem: body.message })
}

async function showKeys(
  visit: SignedInVisit,
  { created, problem }: { created?: string; problem?: string } = {},
): Promise<AccountResponse> {
  const { keys } = visit.texts
  const { status, body } = await visit.call('api-keys.list', { query: { page_size: '100' } })
  if (status !== 200) return refusal(visit, status)
  const main = html`<h1>${keys.title}</h1>
<p class="muted">${keys.about}</p>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
${created && html`<p class="notice" role="status">${keys.shownOnce}<span class="secret">${created}</span></p>`}
<section>${
    body.data.length === 0
      ? html`<p class="muted">${keys.none}</p>`
      : html`<ul class="rows">${body.data.map((key: Key) => keyRow(visit, key))}</ul>`
  }</section>
<section><h2>${keys.create}</h2>
${creationForm(visit, problem === undefined ? new URLSearchParams() : visit.form)}</section>`
  return { title: keys.title, main, status: problem === undefined ? 200 : 400 }
}

/** Shows again what was chosen before, if it was refused. */
function creationForm(visit: SignedInVisit, chosen: URLSearchParams): Html {
  const { keys } = visit.texts
  const scopes = chosen.getAll('scopes')
  const box = (scope: string, label: string) =>
    html`<label class="check"><input type="checkbox" name="scopes" value="${scope}"${scopes.includes(scope) && html` checked`}>${label}</label>`
  return html`<form method="post" action="${PATHS.keys}">${formFields(visit)}
${inputField({ name: 'name', label: keys.name, value: chosen.get('name'), autocomplete: 'off' })}
<label>${keys.validFor}<select name="valid_for">${PERIODS.map(
    (period) =>
      html`<option value="${period}"${chosen.get('valid_for') === period && html` selected`}>${keys.periods[period]}</option>`,
  )}</select></label>
<fieldset class="scopes" aria-describedby="scopes-help"><legend>${keys.may}</legend><p class="muted" id="scopes-help">${keys.mayHelp}</p>
${AREAS.map(
  (area) =>
    html`<div role="group" aria-labelledby="area-${area}"><span id="area-${area}">${keys.areas[area]}</span>
${box(`${area}.view`, keys.view)}${box(`${area}.manage`, keys.manage)}</div>`,
)}${box('codes.slugs', keys.chooseSlugs)}</fieldset>
<button>${keys.create}</button></form>`
}

interface Key {
  id: string
  name: string
  hint: string
  state: 'active' | 'paused' | 'revoked' | 'expired'
  scopes: string[] | null
  last_used_at: string | null
  expires_at: string | null
}

function keyRow(visit: SignedInVisit, { id, name, hint, state, scopes, last_used_at, expires_at }: Key): Html {
  const { texts, language } = visit
  const { keys } = texts
  const used = last_used_at === null ? keys.never : fill(keys.lastUsed, { date: formatTime(last_used_at, language) })
  const expires = expires_at !== null && ` · ${fill(keys.expires, { date: formatTime(expires_at, language) })}`
  return html`<li><span class="what"><strong>${name}</strong><span class="state">${keys.states[state]}</span>
<small>${hint} · ${used}${expires}</small>
<small>${describeScopes(keys, scopes)}</small></span>
${
  state !== 'revoked' &&
  html`<form method="post" action="/account/api-keys/change">${formFields(visit)}<input type="hidden" name="id" value="${id}">
${state === 'paused' ? html`<button class="plain" name="resume" value="1">${keys.resume}</button>` : html`<button class="plain" name="pause" value="1">${keys.pause}</button>`}
<button class="bad" name="revoke" value="1">${keys.revoke}</button></form>`
}</li>`
}

/** Lists areas, such as `Articles: View and change · QR codes: View`. */
function describeScopes(keys: SignedInVisit['texts']['keys'], scopes: readonly string[] | null): string {
  if (scopes === null) return keys.everything
  const areas = AREAS.filter((area) => scopes.some((scope) => scope.startsWith(`${area}.`)))
  return [
    ...(scopes.includes(EVERYTHING) ? [keys.everything] : []),
    ...areas.map((area) => `${keys.areas[area]}: ${scopes.includes(`${area}.manage`) ? keys.manage : keys.view}`),
    ...(scopes.includes('codes.slugs') ? [keys.chooseSlugs] : []),
  ].join(' · ')
}
