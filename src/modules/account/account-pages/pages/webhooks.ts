import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { formatTime } from '../format.ts'
import { formFields, inputField } from '../forms.ts'
import { mayUse, notice, PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

interface Endpoint {
  id: string
  url: string
  events: string[]
  isActive: boolean
  disabled_reason: string | null
}

/** What came of the form that was sent. */
interface WebhookFormResult {
  problem?: string
  secret?: string
}

export const webhooksPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showEndpoints(visit)

export async function createEndpoint(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form } = visit
  const { status, body } = await visit.call('webhooks.create', {
    body: { url: form.get('url'), events: form.getAll('events') },
  })
  return showEndpoints(visit, status === 201 ? { secret: body.signing_secret } : { problem: body.message })
}

/** The buttons of an endpoint. */
const ACTIONS: Record<string, (visit: SignedInVisit, id: string) => ReturnType<SignedInVisit['call']>> = {
  pause: (visit, id) => visit.call('webhooks.update', { params: { id }, body: { isActive: false } }),
  resume: (visit, id) => visit.call('webhooks.update', { params: { id }, body: { isActive: true } }),
  rotate: (visit, id) => visit.call('webhooks.rotateSecret', { params: { id }, body: {} }),
  delete: (visit, id) => visit.call('webhooks.delete', { params: { id } }),
}

export async function changeEndpoint(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const name = Object.keys(ACTIONS).find((action) => visit.form.has(action))
  const action = name === undefined ? undefined : ACTIONS[name]
  if (action === undefined) return { goTo: PATHS.webhooks }
  const { status, body } = await action(visit, visit.form.get('id') ?? '')
  if (status >= 300) return showEndpoints(visit, { problem: body.message })
  return name === 'rotate' ? showEndpoints(visit, { secret: body.signing_secret }) : { goTo: PATHS.webhooks }
}

async function showEndpoints(
  visit: SignedInVisit,
  { problem, secret }: WebhookFormResult = {},
): Promise<AccountResponse> {
  const { webhooks } = visit.texts
  const { status, body } = await visit.call('webhooks.list', { query: { page_size: '100' } })
  if (status !== 200) return refusal(visit, status)
  const mayManage = mayUse(visit, 'webhooks.manage')
  const main = html`<h1>${webhooks.title}</h1>
<p class="muted">${webhooks.about}</p>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
${secret && html`<p class="notice" role="status">${webhooks.shownOnce}<span class="secret">${secret}</span></p>`}
<section>${
    body.data.length === 0
      ? html`<p class="muted">${webhooks.none}</p>`
      : html`<ul class="rows">${body.data.map((endpoint: Endpoint) => endpointRow(visit, endpoint, mayManage))}</ul>`
  }</section>
${mayManage && (await creationSection(visit, problem === undefined ? null : visit.form.get('url')))}`
  return { title: webhooks.title, main, status: problem === undefined ? 200 : 400 }
}

function endpointRow(
  visit: SignedInVisit,
  { id, url, events, isActive, disabled_reason }: Endpoint,
  mayManage: boolean,
): Html {
  const { webhooks } = visit.texts
  const button = (name: string, label: string, kind = 'plain') =>
    html`<button class="${kind}" name="${name}" value="1">${label}</button>`
  return html`<li><span class="what"><strong>${url}</strong><span class="state">${isActive ? webhooks.active : webhooks.paused}</span>
<small>${events.join(', ')}${disabled_reason && ` · ${disabled_reason}`}</small></span>
<a class="button plain" href="${PATHS.deliveries}?id=${id}">${webhooks.deliveries}</a>
${
  mayManage &&
  html`<form method="post" action="/account/webhooks/change">${formFields(visit)}<input type="hidden" name="id" value="${id}">
${isActive ? button('pause', webhooks.pause) : button('resume', webhooks.resume)}
${button('rotate', webhooks.rotate)}${button('delete', webhooks.delete, 'bad')}</form>`
}</li>`
}

async function creationSection(visit: SignedInVisit, url: string | null): Promise<Html> {
  const { webhooks } = visit.texts
  const { body } = await visit.call('event-types.list', { query: { page_size: '100' } })
  return html`<section><h2>${webhooks.create}</h2>
<form method="post" action="${PATHS.webhooks}">${formFields(visit)}
${inputField({ name: 'url', label: webhooks.url, type: 'url', value: url, autocomplete: 'off' })}
<fieldset><legend>${webhooks.events}</legend>${body.data.map(
    ({ type, subscribable }: { type: string; subscribable: boolean }) =>
      subscribable && html`<label class="check"><input type="checkbox" name="events" value="${type}">${type}</label>`,
  )}</fieldset>
<button>${webhooks.create}</button></form></section>`
}

interface Delivery {
  id: string
  event: string
  status: 'pending' | 'delivered' | 'failed' | 'held'
  attempt_count: number
  created_at: string
}

export async function deliveriesPage(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { texts, query } = visit
  const id = query.get('id') ?? ''
  const cursor = query.get('cursor')
  const { status, body } = await visit.call('webhook-deliveries.list', {
    params: { id },
    query: { limit: '50', ...(cursor && { cursor }) },
  })
  if (status === 403) return refusal(visit, status)
  if (status !== 200) return notice(visit, 'notFound', 404)
  const mayManage = mayUse(visit, 'webhooks.manage')
  const main = html`<p><a href="${PATHS.webhooks}">${texts.webhooks.title}</a></p>
<h1>${texts.webhooks.deliveries}</h1>
<section>${
    body.data.length === 0
      ? html`<p class="muted">${texts.webhooks.noDeliveries}</p>`
      : html`<ul class="rows">${body.data.map((delivery: Delivery) => deliveryRow(visit, id, delivery, mayManage))}</ul>`
  }</section>
${body.next_cursor && html`<p><a class="button plain" href="${PATHS.deliveries}?id=${id}&amp;cursor=${encodeURIComponent(body.next_cursor)}">${texts.audit.older}</a></p>`}`
  return { title: texts.webhooks.deliveries, main }
}

export async function replayDelivery(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const [id, delivery_id] = [visit.form.get('id') ?? '', visit.form.get('delivery_id') ?? '']
  const { status } = await visit.call('webhook-deliveries.replay', { params: { id, delivery_id } })
  if (status === 403) return refusal(visit, status)
  return { goTo: `${PATHS.deliveries}?id=${encodeURIComponent(id)}` }
}

function deliveryRow(visit: SignedInVisit, id: string, delivery: Delivery, mayManage: boolean): Html {
  const { texts, language } = visit
  const { webhooks } = texts
  const attempts = fill(webhooks.attempts, { n: delivery.attempt_count })
  return html`<li><span class="what"><code>${delivery.event}</code><span class="state">${webhooks.statuses[delivery.status]}</span>
<small>${formatTime(delivery.created_at, language)} · ${attempts}</small></span>
${
  mayManage &&
  html`<form method="post" action="/account/webhooks/replay">${formFields(visit)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="delivery_id" value="${delivery.id}"><button class="plain">${webhooks.replay}</button></form>`
}</li>`
}
