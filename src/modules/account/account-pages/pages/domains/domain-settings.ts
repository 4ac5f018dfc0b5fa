import { readText } from '../../forms.ts'
import { PATHS, refusal } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../../visit.ts'
import { showDomain } from './domain.ts'
import { readTarget } from './domain-routes.ts'

export async function addRoute(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, texts } = visit
  const { taken, notAccepted } = texts.domains.routes
  const id = form.get('id') ?? ''
  const slug = (form.get('slug') ?? '').trim().replace(/^\/+|\/+$/g, '')
  const { status, body } = await visit.call('custom-domain-routes.create', {
    body: { domain_id: id, slug, ...readTarget(form.get('target') ?? '') },
  })
  if (status === 201) return { goTo: `${PATHS.domain}?id=${id}&saved` }
  if (status === 403 || status >= 500) return refusal(visit, status)
  const problem = status === 409 ? taken : status === 400 ? notAccepted : body.message
  return showDomain(visit, id, { errors: { slug: problem } })
}

export async function changeRoute(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form } = visit
  const params = { id: form.get('route_id') ?? '' }
  const { status } = form.has('remove')
    ? await visit.call('custom-domain-routes.delete', { params })
    : await visit.call('custom-domain-routes.update', { params, body: { is_default: form.get('start') === 'make' } })
  if (status === 403 || status >= 500) return refusal(visit, status)
  // A route that somebody else has changed meanwhile is shown as it is now.
  return { goTo: `${PATHS.domain}?id=${encodeURIComponent(form.get('id') ?? '')}` }
}

export async function saveFallback(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  const { status } = await visit.call('custom-domains.update', {
    params: { id },
    body: { fallback_url: readText(visit.form, 'fallback_url') },
  })
  if (status === 200) return { goTo: `${PATHS.domain}?id=${id}&saved` }
  if (status === 403 || status >= 500) return refusal(visit, status)
  return showDomain(visit, id, { errors: { fallback_url: visit.texts.domains.fallback.notAccepted } })
}
