import { UUID_PATTERN } from '../../../../platform/ids/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import { drawForPage } from '../../../codes/code-images/index.ts'
import { type Changed, type Changer, listFactors } from '../../factors/index.ts'
import { formatTime } from '../format.ts'
import { formFields, inputField } from '../forms.ts'
import { notice, PATHS } from '../layout.ts'
import { passkeyArea, relyingParty } from '../passkey-area.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { renewedCookie } from './sign-in/sign-in.ts'

/** The part of the account page about second factors. */
export async function factorsSection(services: AccountRequestServices, visit: SignedInVisit): Promise<Html> {
  const { texts, person, language } = visit
  const { factors, account } = texts
  const { totp, passkeys, recoveryCodesLeft } = await listFactors(services.database.read, person.user_id)
  const added = (date: string) => fill(factors.added, { date: formatTime(date, language) })
  const used = (date: string | null) =>
    date === null ? '' : ` · ${fill(account.lastUsed, { date: formatTime(date, language) })}`
  const rows = [
    ...(totp ? [factorRow(visit, 'totp', factors.totp, added(totp.created_at))] : []),
    ...passkeys.map(({ id, name, created_at, last_used_at }) =>
      factorRow(visit, id, name, `${factors.passkey} · ${added(created_at)}${used(last_used_at)}`),
    ),
  ]
  return html`<section><h2>${factors.title}</h2>
<p class="muted">${rows.length === 0 ? factors.about : fill(factors.codesLeft, { n: recoveryCodesLeft })}</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}
<div class="inline actions">${totp === undefined && html`<a class="button plain" href="${PATHS.addTotp}">${factors.addTotp}</a>`}
${relyingParty(services, visit) && html`<a class="button plain" href="${PATHS.addPasskey}">${factors.addPasskey}</a>`}
${
  rows.length > 0 &&
  html`<form method="post" action="${PATHS.recoveryCodes}">${formFields(visit)}<button class="plain">${factors.newCodes}</button></form>`
}</div></section>`
}

const factorRow = (visit: SignedInVisit, id: string, name: string, details: string): Html =>
  html`<li><span class="what"><strong>${name}</strong><small>${details}</small></span>
<form method="post" action="${PATHS.removeFactor}">${formFields(visit)}<input type="hidden" name="id" value="${id}"><button class="bad">${visit.texts.factors.remove}</button></form></li>`

export async function totpPage(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  return totpForm(visit, services.factors.offerTotp(changerOf(visit)))
}

export async function addTotp(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, texts } = visit
  const offer = await services.factors.findOffer(form.get('ticket') ?? '', changerOf(visit))
  if (offer === undefined) return totpForm(visit, services.factors.offerTotp(changerOf(visit)), texts.factors.expired)
  const result = await services.factors.addTotp(offer.seed, form.get('code') ?? '', changerOf(visit))
  if (result.kind === 'changed') return showChange(services, visit, result)
  return result.kind === 'exists' ? { goTo: PATHS.account } : totpForm(visit, offer, texts.factors.wrongCode)
}

export const passkeyPage = (services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  newPasskeyForm(services, visit)

export async function addPasskey(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, texts } = visit
  const rp = relyingParty(services, visit)
  if (rp === undefined) return notice(visit, 'notFound', 404)
  const sent = { credential: form.get('credential') ?? '', rp }
  const result = await services.factors.addPasskey(sent, form.get('name') ?? '', changerOf(visit))
  if (result.kind === 'changed') return showChange(services, visit, result)
  const { tooManyPasskeys, passkeyFailed } = texts.factors
  return newPasskeyForm(services, visit, result.kind === 'too_many' ? tooManyPasskeys : passkeyFailed)
}

export async function removeFactor(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  if (id !== 'totp' && !UUID_PATTERN.test(id)) return { goTo: PATHS.account }
  const changer = changerOf(visit)
  const result = await (id === 'totp'
    ? services.factors.removeTotp(changer)
    : services.factors.removePasskey(id, changer))
  return result.kind === 'unknown' ? { goTo: PATHS.account } : showChange(services, visit, result)
}

export async function renewRecoveryCodes(
  services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const result = await services.factors.renewRecoveryCodes(changerOf(visit))
  return result.kind === 'unknown' ? { goTo: PATHS.account } : showChange(services, visit, result)
}

const changerOf = ({ person, formToken, origin, nowMs }: SignedInVisit): Changer => ({
  person,
  browser: formToken,
  origin,
  nowMs,
})

/** New recovery codes are shown once. Without them, the account page says enough. */
function showChange(services: AccountRequestServices, visit: SignedInVisit, changed: Changed): AccountResponse {
  const cookies = [renewedCookie(services, visit, changed)]
  if (changed.recoveryCodes.length === 0) return { goTo: `${PATHS.account}?saved`, cookies }
  const { factors } = visit.texts
  const main = html`<h1>${factors.codes}</h1>
<p>${factors.codesText}</p>
<ul class="secret codes">${changed.recoveryCodes.map((code) => html`<li>${code}</li>`)}</ul>
<p><a class="button" href="${PATHS.account}">${factors.stored}</a></p>`
  return { title: factors.codes, main, cookies }
}

const QR_CODE_PX = 240

function totpForm(
  visit: SignedInVisit,
  { seed, uri, ticket }: { seed: string; uri: string; ticket: string },
  problem?: string,
): AccountResponse {
  const { factors } = visit.texts
  const main = html`<h1>${factors.addTotp}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<p>${factors.totpSteps}</p>
<div class="card narrow">
${raw(drawForPage(uri, factors.qrCode, QR_CODE_PX))}
<p>${factors.seed}<span class="secret">${seed.match(/.{4}/g)?.join(' ')}</span></p>
<form method="post" action="${PATHS.addTotp}">${formFields(visit)}<input type="hidden" name="ticket" value="${ticket}">
${inputField({ name: 'code', label: factors.sixDigits, autocomplete: 'one-time-code' })}
<button>${factors.addTotp}</button></form></div>`
  return { title: factors.addTotp, main, status: problem === undefined ? 200 : 400 }
}

async function newPasskeyForm(
  services: AccountRequestServices,
  visit: SignedInVisit,
  problem?: string,
): Promise<AccountResponse> {
  const { texts, form } = visit
  const { factors } = texts
  const rp = relyingParty(services, visit)
  if (rp === undefined) return notice(visit, 'notFound', 404)
  const main = html`<h1>${factors.addPasskey}</h1>
<p>${factors.passkeyText}</p>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<div class="card narrow">${passkeyArea(visit, {
    action: PATHS.addPasskey,
    options: await services.factors.offerPasskey(rp, changerOf(visit)),
    button: factors.addPasskey,
    fields: inputField({
      name: 'name',
      label: factors.passkeyName,
      value: form.get('name'),
      autocomplete: 'off',
      help: factors.passkeyNameHelp,
    }),
    isNew: true,
  })}</div>`
  return { title: factors.addPasskey, main, status: problem === undefined ? 200 : 400, script: 'passkeys' }
}
