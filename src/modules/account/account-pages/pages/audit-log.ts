import { directionOf } from '../../../../platform/text/direction.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { formatTime } from '../format.ts'
import { PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

interface Entry {
  action: string
  actor: { name: string }
  resource: { id: string | null; ids: string[] | null }
  changes: Record<string, { from: unknown; to: unknown; omitted?: true }> | null
  address: string | null
  device: string | null
  created_at: string
}

export async function auditLogPage(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { audit } = visit.texts
  const cursor = visit.query.get('cursor')
  const { status, body } = await visit.call('audit-log.list', { query: { limit: '50', ...(cursor && { cursor }) } })
  if (status === 400) return { goTo: PATHS.audit }
  if (status !== 200) return refusal(visit, status)
  const main = html`<h1>${audit.title}</h1>
<p class="muted">${audit.about}</p>
<section>${
    body.data.length === 0
      ? html`<p class="muted">${audit.none}</p>`
      : html`<ul class="rows">${body.data.map((entry: Entry) => entryRow(visit, entry))}</ul>`
  }</section>
${body.next_cursor && html`<p><a class="button plain" href="${PATHS.audit}?cursor=${encodeURIComponent(body.next_cursor)}">${audit.older}</a></p>`}`
  return { title: audit.title, main }
}

function entryRow({ language, texts }: SignedInVisit, entry: Entry): Html {
  const { action, actor, resource, changes, address, device, created_at } = entry
  const where = [device, address].filter(Boolean).join(' · ')
  const ids = resource.ids === null ? resource.id : `${resource.ids.length} ×`
  return html`<li><span class="what"><strong>${actor.name}</strong> <code>${action}</code>
<small>${formatTime(created_at, language)}${where && ` · ${where}`}${ids && ` · ${ids}`}</small>
${
  changes !== null &&
  Object.keys(changes).length > 0 &&
  html`<details><summary>${texts.audit.details}</summary><ul>${Object.entries(changes).map(
    ([name, { from, to, omitted }]) =>
      html`<li><code>${name}</code>: ${omitted ? texts.audit.omitted : html`<bdi>${toText(from)}</bdi> ${directionOf(language) === 'rtl' ? '←' : '→'} <bdi>${toText(to)}</bdi>`}</li>`,
  )}</ul></details>`
}</span></li>`
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
