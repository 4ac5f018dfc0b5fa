import { isIP } from 'node:net'
import { type Html, html } from '../../../platform/text/html.ts'
import type { RelyingParty } from '../factors/index.ts'
import { formFields } from './forms.ts'
import type { AccountRequestServices } from './request-services.ts'
import type { AccountVisit } from './visit.ts'

/**
 * The host that passkeys belong to. If the service does not know its own host, it is that of the request. Undefined for an
 * IP address, which cannot have passkeys.
 */
export function relyingParty(
  { appUrl, acceptsAnyHost }: AccountRequestServices,
  { request }: AccountVisit,
): RelyingParty | undefined {
  const { origin, host, hostname } = new URL(acceptsAnyHost ? `http://${request.headers.host}` : appUrl)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  return { id: hostname, origins: acceptsAnyHost ? [`http://${host}`, `https://${host}`] : [origin] }
}

interface Area {
  /** Where the form goes. */
  action: string
  /** What the browser needs, as JSON. */
  options: string
  button: string
  /** More fields of the form. */
  fields?: Html
  isNew?: boolean
  /** Whether to ask for the passkey before the person presses the button. */
  isAtOnce?: boolean
}

/** A form that the script fills in with a passkey. It is hidden until the script runs. */
export function passkeyArea(visit: AccountVisit, { action, options, button, fields, isNew, isAtOnce }: Area): Html {
  const { factors } = visit.texts
  const attributes = [isNew && html` data-create`, isAtOnce && html` data-at-once`]
  return html`<div data-passkey data-options="${options}" data-failed="${factors.passkeyFailed}"${attributes}>
<p class="muted" data-unsupported>${factors.unsupported}</p>
<form method="post" action="${action}" hidden>${formFields(visit)}
<input type="hidden" name="credential">${fields}
<button class="${isNew || isAtOnce ? '' : 'plain'}">${button}</button></form>
<p class="error" role="alert"></p>
</div>`
}
