import { fill } from '../../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../../platform/text/html.ts'
import { type FieldErrors, formFields, inputField } from '../../forms.ts'
import { PATHS } from '../../layout.ts'
import type { SignedInVisit } from '../../visit.ts'
import { type Domain, nameOf } from './domain-state.ts'

interface Route {
  id: string
  slug: string
  type: TargetType
  chatbot_id: string | null
  kb_id: string | null
  page_id: string | null
  is_default: boolean
  url: string | null
}

/** What a route can show: the operation that lists it, and the field of a route with its ID. */
const TARGETS = {
  page: { list: 'pages.list', query: { limit: '100' }, field: 'page_id', area: 'pages' },
  kb: { list: 'knowledge-bases.list', query: { page_size: '100' }, field: 'kb_id', area: 'knowledge_bases' },
  chatbot: { list: 'chatbots.list', query: { page_size: '100' }, field: 'chatbot_id', area: 'chatbots' },
} as const

type TargetType = keyof typeof TARGETS
const TYPES = Object.keys(TARGETS) as TargetType[]

/** The names of the latest of each type, by ID. */
type Targets = Record<TargetType, Map<string, string>>

const ROUTES_SHOWN = 100

/** The value of an option, such as `page:0197…`, as fields of a new route. */
export function readTarget(value: string): Record<string, string> {
  const [type = '', id = ''] = value.split(':')
  const target = TYPES.find((name) => name === type)
  return target === undefined ? { type } : { type, [TARGETS[target].field]: id }
}

/** The addresses on the domain, and a form for another one. */
export async function routeSection(
  visit: SignedInVisit,
  domain: Domain,
  { mayManage, errors }: { mayManage: boolean; errors: FieldErrors },
): Promise<Html> {
  const { domains, audit } = visit.texts
  const page = Number(visit.query.get('page') ?? 1)
  const { status, body } = await visit.call('custom-domain-routes.list', {
    query: { domain_id: domain.id, page: String(page), page_size: String(ROUTES_SHOWN) },
  })
  const { data: routes, total }: { data: Route[]; total: number } = status === 200 ? body : { data: [], total: 0 }
  const targets = await findTargets(visit)
  const hasStart = routes.some(({ slug, is_default }) => slug === '' || is_default)
  return html`<section><h2>${domains.routes.title}</h2>
<p class="muted">${domains.routes.about}</p>
${
  routes.length === 0
    ? html`<p class="muted">${domains.routes.none}</p>`
    : html`<ul class="rows">${routes.map((route) => routeRow(visit, domain, route, { targets, hasStart, mayManage }))}</ul>`
}
${total > page * ROUTES_SHOWN && html`<p class="other"><a class="button plain" href="${PATHS.domain}?id=${domain.id}&amp;page=${page + 1}">${audit.older}</a></p>`}
${mayManage && creationForm(visit, domain, targets, errors)}</section>`
}

async function findTargets(visit: SignedInVisit): Promise<Targets> {
  const find = async (type: TargetType) => {
    const { status, body } = await visit.call(TARGETS[type].list, { query: TARGETS[type].query })
    const found: { id: string; title?: string; name?: string }[] = status === 200 ? body.data : []
    return new Map(found.map(({ id, title, name }) => [id, title ?? name ?? id]))
  }
  return { page: await find('page'), kb: await find('kb'), chatbot: await find('chatbot') }
}

function routeRow(
  visit: SignedInVisit,
  domain: Domain,
  route: Route,
  { targets, hasStart, mayManage }: { targets: Targets; hasStart: boolean; mayManage: boolean },
): Html {
  const { texts } = visit
  const { routes } = texts.domains
  const { id, slug, type, is_default, url } = route
  const address = `${nameOf(domain)}/${slug}`
  const target = targets[type].get(route[TARGETS[type].field] ?? '')
  const isStart = slug === '' || is_default
  const change = is_default ? routes.endStart : !hasStart && routes.makeStart
  return html`<li><span class="what">${url === null ? html`<strong>${address}</strong>` : html`<a href="${url}"><strong>${address}</strong></a>`}${isStart && html`<span class="state">${routes.start}</span>`}
<small dir="auto">${[texts.keys.areas[TARGETS[type].area], target].filter(Boolean).join(' · ')}</small></span>
${
  mayManage &&
  html`<form method="post" action="/account/domain/route">${formFields(visit)}<input type="hidden" name="id" value="${domain.id}"><input type="hidden" name="route_id" value="${id}">
${change && html`<button class="plain" name="start" value="${is_default ? 'end' : 'make'}">${change}</button>`}
<button class="bad" name="remove" value="1">${routes.remove}</button></form>`
}</li>`
}

function creationForm(visit: SignedInVisit, domain: Domain, targets: Targets, errors: FieldErrors): Html {
  const { domains, keys } = visit.texts
  const { routes } = domains
  if (TYPES.every((type) => targets[type].size === 0)) return html`<p class="other">${routes.noTargets}</p>`
  const chosen = visit.form.get('target')
  return html`<h3>${routes.add}</h3>
<form method="post" action="/account/domain/routes">${formFields(visit)}<input type="hidden" name="id" value="${domain.id}">
${inputField({
  name: 'slug',
  label: fill(routes.slug, { domain: nameOf(domain) }),
  value: visit.form.get('slug'),
  autocomplete: 'off',
  help: routes.slugHelp,
  error: errors.slug,
  isOptional: true,
})}
<label>${routes.target}<select name="target">${TYPES.map(
    (type) =>
      targets[type].size > 0 &&
      html`<optgroup label="${keys.areas[TARGETS[type].area]}">${[...targets[type]].map(([id, name]) => {
        const value = `${type}:${id}`
        return html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`
      })}</optgroup>`,
  )}</select></label>
<button>${routes.add}</button></form>`
}

/** Where visitors go who open an address that does not exist. */
export function fallbackSection(visit: SignedInVisit, domain: Domain, errors: FieldErrors): Html {
  const { fallback } = visit.texts.domains
  return html`<section><h2>${fallback.title}</h2>
<form method="post" action="/account/domain/fallback">${formFields(visit)}<input type="hidden" name="id" value="${domain.id}">
${inputField({
  name: 'fallback_url',
  label: fallback.url,
  type: 'url',
  value: visit.form.get('fallback_url') ?? domain.fallback_url,
  autocomplete: 'off',
  help: fallback.help,
  error: errors.fallback_url,
  isOptional: true,
})}
<button>${visit.texts.save}</button></form></section>`
}
