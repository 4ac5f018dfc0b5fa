import { LANGUAGES } from '../../../../platform/contract/languages.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { formatTime } from '../format.ts'
import { type FieldErrors, formFields, inputField, readText } from '../forms.ts'
import { mayUse, PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { Texts } from '../texts.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

interface Brand {
  primary_color: string | null
  corner_radius: string | number | null
  light_background: string | null
  dark_background: string | null
}

interface Organisation {
  name: string
  slug: string
  default_language: string
  time_zone: string
  logo_url: string | null
  fallback_url: string | null
  brand: Brand
  deletes_at: string | null
}

export const organisationPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showOrganisation(visit)

export async function saveOrganisation(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form } = visit
  const sent = {
    name: form.get('name') ?? '',
    slug: form.get('slug') ?? '',
    default_language: form.get('default_language') ?? '',
    time_zone: form.get('time_zone') ?? '',
    logo_url: readText(form, 'logo_url'),
    fallback_url: readText(form, 'fallback_url'),
    brand: readBrand(form),
  }
  const { status, body } = await visit.call('organisation.update', { body: sent })
  if (status === 200) return { goTo: `${PATHS.organisation}?saved` }
  return showOrganisation(visit, sent, errorsOf(body, 'slug'))
}

/** What is no number is sent as it was typed, so that the API says what is wrong with it. */
function readBrand(form: URLSearchParams): Brand {
  const radius = readText(form, 'corner_radius')
  return {
    primary_color: readText(form, 'primary_color'),
    corner_radius: radius !== null && /^\d{1,4}$/.test(radius) ? Number(radius) : radius,
    light_background: readText(form, 'light_background'),
    dark_background: readText(form, 'dark_background'),
  }
}

export async function deleteOrganisation(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form } = visit
  const { status, body } = form.has('keep')
    ? await visit.call('organisation-deletion.cancel')
    : await visit.call('organisation-deletion.request', { body: { slug: form.get('confirmed_slug') ?? '' } })
  return status === 200 ? { goTo: PATHS.organisation } : showOrganisation(visit, {}, errorsOf(body, 'confirmed_slug'))
}

/** The error of each field. One without a field belongs to the field that others can make wrong. */
function errorsOf(body: { message: string; details?: { fieldErrors?: Record<string, string[]> } }, field: string) {
  const { fieldErrors } = body.details ?? {}
  if (fieldErrors === undefined) return { [field]: body.message }
  return Object.fromEntries(
    Object.entries(fieldErrors).map(([name, [first = '']]) => [name.replace(/^brand\./, ''), first]),
  )
}

/** `sent` and `errors` are those of a form that could not be applied. */
async function showOrganisation(
  visit: SignedInVisit,
  sent: Partial<Organisation> = {},
  errors: FieldErrors = {},
): Promise<AccountResponse> {
  const { texts, query } = visit
  const { organisation } = texts
  const { status, body } = await visit.call('organisation.get')
  if (status !== 200) return refusal(visit, status)
  if (!mayUse(visit, 'team.manage')) return refusal(visit, 403)
  const stored: Organisation = body
  const shown = { ...stored, ...sent }
  const main = html`<h1>${organisation.title}</h1>
${query.has('saved') && html`<p class="notice" role="status">${texts.account.saved}</p>`}
<section><h2>${stored.name}</h2>
<form method="post" action="${PATHS.organisation}">${formFields(visit)}
${inputField({ name: 'name', label: organisation.name, value: shown.name, autocomplete: 'organization', error: errors.name })}
${inputField({ name: 'slug', label: organisation.slug, value: shown.slug, autocomplete: 'off', help: organisation.slugHelp, error: errors.slug })}
<label>${organisation.language}${select('default_language', shown.default_language, LANGUAGES, nameOfLanguage)}</label>
<label>${organisation.timeZone}${select('time_zone', shown.time_zone, timeZones(shown.time_zone), (zone) => zone)}</label>
${inputField({ name: 'logo_url', label: organisation.logo, type: 'url', value: shown.logo_url, error: errors.logo_url, isOptional: true })}
${brandFields(texts, shown.brand, errors)}
${inputField({ name: 'fallback_url', label: organisation.website, type: 'url', value: shown.fallback_url, help: organisation.websiteHelp, error: errors.fallback_url, isOptional: true })}
<button>${texts.save}</button></form></section>
${mayUse(visit, 'ownership.manage') && deletion(visit, stored, errors)}`
  return { title: organisation.title, main, status: Object.keys(errors).length === 0 ? 200 : 400 }
}

const brandFields = ({ organisation: { brand: labels } }: Texts, brand: Brand, errors: FieldErrors): Html =>
  html`${(
    [
      ['primary_color', labels.color, labels.help],
      ['corner_radius', labels.radius, undefined],
      ['light_background', labels.light, undefined],
      ['dark_background', labels.dark, labels.darkHelp],
    ] as const
  ).map(([name, label, help]) => {
    const value = brand[name] === null ? null : `${brand[name]}`
    return inputField({ name, label, value, help, error: errors[name], autocomplete: 'off', isOptional: true })
  })}`

function deletion(visit: SignedInVisit, { slug, deletes_at }: Organisation, errors: FieldErrors): Html {
  const { texts, language } = visit
  const { deletion } = texts.organisation
  const action = '/account/organisation/delete'
  if (deletes_at !== null) {
    return html`<section><h2>${deletion.title}</h2>
<p class="notice bad" role="status">${fill(deletion.scheduled, { date: formatTime(deletes_at, language) })}</p>
<form method="post" action="${action}">${formFields(visit)}<button name="keep" value="1">${deletion.keep}</button></form></section>`
  }
  return html`<section><h2>${deletion.title}</h2><p>${deletion.text}</p>
<form method="post" action="${action}">${formFields(visit)}
${inputField({ name: 'confirmed_slug', label: fill(deletion.confirm, { slug }), autocomplete: 'off', error: errors.confirmed_slug })}
<button class="bad">${deletion.submit}</button></form></section>`
}

const select = (name: string, selected: string, values: readonly string[], labelOf: (value: string) => string): Html =>
  html`<select name="${name}">${values.map(
    (value) => html`<option value="${value}"${value === selected && html` selected`}>${labelOf(value)}</option>`,
  )}</select>`

/** Names a language in the language itself. */
const nameOfLanguage = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language

/** An alias, such as Asia/Calcutta, is not in the list. */
const timeZones = (current: string): string[] => [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])]
