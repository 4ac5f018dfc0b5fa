import { type Html, html } from '../../../../../platform/text/html.ts'
import { formFields, inputField } from '../../forms.ts'
import { mayUse, PATHS, refusal } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../../visit.ts'
import { type Domain, describeLastCheck, nameOf, stateLabel } from './domain-state.ts'

const PAGE_SIZE = 50

export const domainsPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showDomains(visit)

export async function connectDomain(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { domains } = visit.texts
  const { status, body } = await visit.call('custom-domains.create', { body: { domain: readDomain(visit.form) } })
  if (status === 201) return { goTo: `${PATHS.domain}?id=${body.id}` }
  if (status === 409) return showDomains(visit, domains.taken)
  if (status === 400) return showDomains(visit, domains.notAccepted)
  return refusal(visit, status)
}

/** People also paste the address of a page. */
const readDomain = (form: URLSearchParams): string =>
  (form.get('domain') ?? '')
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')

async function showDomains(visit: SignedInVisit, problem?: string): Promise<AccountResponse> {
  const { texts, query, form } = visit
  const { domains } = texts
  const page = Number(query.get('page') ?? 1)
  const { status, body } = await visit.call('custom-domains.list', {
    query: { page: String(page), page_size: String(PAGE_SIZE) },
  })
  if (status === 400) return { goTo: PATHS.domains }
  if (status !== 200) return refusal(visit, status)
  const main = html`<h1>${domains.title}</h1>
<p class="muted">${domains.about}</p>
<section>${
    body.data.length === 0
      ? html`<p class="muted">${domains.none}</p>`
      : html`<ul class="rows">${body.data.map((domain: Domain) => domainRow(visit, domain))}</ul>`
  }</section>
${body.total > page * PAGE_SIZE && html`<p class="other"><a class="button plain" href="${PATHS.domains}?page=${page + 1}">${texts.audit.older}</a></p>`}
${
  mayUse(visit, 'domains.manage') &&
  html`<section><h2>${domains.connect}</h2>
<form method="post" action="${PATHS.domains}">${formFields(visit)}
${inputField({ name: 'domain', label: domains.name, value: form.get('domain'), autocomplete: 'off', help: domains.nameHelp, error: problem })}
<button>${domains.connect}</button></form></section>`
}`
  return { title: domains.title, main, status: problem === undefined ? 200 : 400 }
}

const domainRow = (visit: SignedInVisit, domain: Domain): Html =>
  html`<li><span class="what"><a href="${PATHS.domain}?id=${domain.id}"><strong>${nameOf(domain)}</strong></a>${stateLabel(visit, domain)}
<small>${describeLastCheck(visit, domain)}</small></span></li>`
