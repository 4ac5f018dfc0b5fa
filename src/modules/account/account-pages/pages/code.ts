import { html } from '../../../../platform/text/html.ts'
import { formFields, inputField } from '../forms.ts'
import { PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

/** What can be scanned, with the families that change it. */
const FAMILIES: Readonly<Record<string, string>> = { qr_code: 'qr-codes', object: 'objects', product: 'products' }

/** Sets where a code leads. The page that a scan shows while it is not set up brings owners here, on their phones. */
export const codePage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showCode(visit)

export async function saveCode(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { family, id } = codeIn(visit.path)
  if (family === undefined) return elsewhere(visit)
  const url = (visit.form.get('url') ?? '').trim()
  const { status } = await visit.call(`${family}.update`, { params: { id }, body: { destination: { url } } })
  if (status === 200) return { goTo: `${visit.path}?saved` }
  if (status === 400) return showCode(visit, url)
  return status === 404 || status === 410 ? elsewhere(visit) : refusal(visit, status)
}

function codeIn(path: string): { family: string | undefined; id: string } {
  const [kind = '', id = ''] = path.slice(PATHS.code.length + 1).split('/')
  return { family: Object.hasOwn(FAMILIES, kind) ? FAMILIES[kind] : undefined, id }
}

/** `refused` is an address that was not accepted. */
async function showCode(visit: SignedInVisit, refused?: string): Promise<AccountResponse> {
  const { texts, path, query } = visit
  const { family, id } = codeIn(path)
  if (family === undefined) return elsewhere(visit)
  const { status, body } = await visit.call(`${family}.get`, { params: { id } })
  if (status === 403 || status >= 500) return refusal(visit, status)
  if (status !== 200) return elsewhere(visit)
  const error = refused === undefined ? undefined : texts.domains.fallback.notAccepted
  const main = html`<h1>${texts.code.title}</h1>
${query.has('saved') && html`<p class="notice" role="status">${texts.code.saved}</p>`}
<section><h2 dir="auto">${body.name ?? body.external_id ?? body.url ?? id}</h2>
<form method="post" action="${path}">${formFields(visit)}
${inputField({
  name: 'url',
  label: texts.code.url,
  type: 'url',
  value: refused ?? body.destination?.url,
  autocomplete: 'off',
  help: texts.code.urlHelp,
  error,
})}
<button>${texts.save}</button></form></section>`
  return { title: texts.code.title, main, status: error === undefined ? 200 : 400 }
}

function elsewhere({ texts }: SignedInVisit): AccountResponse {
  const { title, text } = texts.code.elsewhere
  const main = html`<h1>${title}</h1><p>${text}</p><p><a class="button" href="${PATHS.account}">${texts.account.title}</a></p>`
  return { title, main, status: 404 }
}
