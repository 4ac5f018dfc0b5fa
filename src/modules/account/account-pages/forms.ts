import { randomBytes } from 'node:crypto'
import { type Html, html } from '../../../platform/text/html.ts'
import type { AccountVisit, SignedInVisit } from './visit.ts'

export const FORM_TOKEN = 'form_token'
/** The organisation that the page showed. */
const FORM_ORGANISATION = 'form_organisation'

const combine = (bytes: Buffer, mask: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)))

/** A page has another form of the token each time, so that the length of compressed pages tells nothing about it. */
function maskToken(token: string): string {
  const bytes = Buffer.from(token, 'base64url')
  const mask = randomBytes(bytes.length)
  return Buffer.concat([mask, combine(bytes, mask)]).toString('base64url')
}

/** The token of a form that was sent. It may be wrong. */
export function unmaskToken(masked: string): string {
  const bytes = Buffer.from(masked, 'base64url')
  const half = bytes.length / 2
  return combine(bytes.subarray(half), bytes.subarray(0, half)).toString('base64url')
}

/** The hidden fields that every form has. */
export const formFields = ({ formToken, person }: AccountVisit): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${maskToken(formToken)}">${
    person?.org_id && html`<input type="hidden" name="${FORM_ORGANISATION}" value="${person.org_id}">`
  }`

/** Whether the person has switched to another organisation, in another tab, since they opened the form. */
export function hasSwitched({ form, person }: SignedInVisit): boolean {
  const shown = form.get(FORM_ORGANISATION)
  return shown !== null && shown !== person.org_id
}

/**
 * Tells password managers whose password a form asks for. Nobody sees it; a field of the type "hidden" would not do, because
 * browsers look for a text field.
 */
export const usernameField = (email: string): Html =>
  html`<input hidden readonly name="username" autocomplete="username" value="${email}">`

/** The error of each field that has one. */
export type FieldErrors = Readonly<Record<string, string>>

interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url'
  value?: string | null | undefined
  /** What password managers and browsers fill in. */
  autocomplete?: string
  help?: string | undefined
  error?: string | undefined
  isOptional?: boolean
}

/** A labelled input. An error is announced with the field and shown beside it. */
export function inputField({ name, label, type = 'text', value, autocomplete, help, error, isOptional }: Field): Html {
  const describedBy = [help && `${name}-help`, error && `${name}-error`].filter(Boolean).join(' ')
  const attributes = [
    autocomplete && html` autocomplete="${autocomplete}"`,
    isOptional !== true && html` required`,
    describedBy !== '' && html` aria-describedby="${describedBy}"`,
    error && html` aria-invalid="true"`,
  ]
  return html`<label>${label}
<input name="${name}" type="${type}" value="${value ?? ''}"${attributes}>
${help && html`<small id="${name}-help">${help}</small>`}
${error && html`<small class="error" id="${name}-error">${error}</small>`}</label>`
}

/** A field that may be left out: an empty one is null. */
export function readText(form: URLSearchParams, name: string): string | null {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? null : text
}
