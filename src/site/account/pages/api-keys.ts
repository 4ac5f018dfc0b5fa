import { type Html, html } from '../../../platform/text/html.ts'
import { formatTime } from '../format.ts'
import { formFields, inputField } from '../forms.ts'
import { PATHS, refusal } from '../layout.ts'
import type { Site } from '../site.ts'
import { fill } from '../texts/index.ts'
import type { Answer, SignedInVisit } from '../visit.ts'

export const keysPage = (_site: Site, visit: SignedInVisit): Promise<Answer> => showKeys(visit)

export async function createKey(_site: Site, visit: SignedInVisit): Promise<Answer> {
  const { status, body } = await visit.call('api-keys.create', { body: { name: visit.form.get('name') } })
  return status === 201 ? showKeys(visit, { created: body.api_key }) : showKeys(visit, { problem: body.message })
}

export async function changeKey(_site: Site, visit: SignedInVisit): Promise<Answer> {
  const { form } = visit
  const action = ['pause', 'resume', 'revoke'].find((name) => form.has(name))
  if (action === undefined) return { goTo: PATHS.keys }
  const { status, body } = await visit.call(`api-keys.${action}`, { params: { id: form.get('id') ?? '' } })
  return status === 200 ? { goTo: PATHS.keys } : showKeys(visit, { problem: body.message })
}

async function showKeys(
  visit: SignedInVisit,
  { created, problem }: { created?: string; problem?: string } = {},
): Promise<Answer> {
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
<form class="inline" method="post" action="${PATHS.keys}">${formFields(visit)}
${inputField({ name: 'name', label: keys.name, autocomplete: 'off' })}<button>${keys.create}</button></form></section>`
  return { title: keys.title, main, status: problem === undefined ? 200 : 400 }
}

interface Key {
  id: string
  name: string
  hint: string
  state: 'active' | 'paused' | 'revoked' | 'expired'
  last_used_at: string | null
  expires_at: string | null
}

function keyRow(visit: SignedInVisit, { id, name, hint, state, last_used_at, expires_at }: Key): Html {
  const { texts, language } = visit
  const { keys } = texts
  const used = last_used_at === null ? keys.never : fill(keys.lastUsed, { date: formatTime(last_used_at, language) })
  const expires = expires_at !== null && ` · ${fill(keys.expires, { date: formatTime(expires_at, language) })}`
  return html`<li><span class="what"><strong>${name}</strong><span class="state">${keys.states[state]}</span>
<small>${hint} · ${used}${expires}</small></span>
${
  state !== 'revoked' &&
  html`<form method="post" action="/account/api-keys/change">${formFields(visit)}<input type="hidden" name="id" value="${id}">
${state === 'paused' ? html`<button class="plain" name="resume" value="1">${keys.resume}</button>` : html`<button class="plain" name="pause" value="1">${keys.pause}</button>`}
<button class="bad" name="revoke" value="1">${keys.revoke}</button></form>`
}</li>`
}
