import { type Brand, logoImage, type ShownThing, scannedChip } from '../look/index.ts'
import { type Html, html } from '../text/html.ts'
import type { Labels } from './texts.ts'

/** Who is behind a code, what was scanned, and where a visitor can go instead. */
export interface NoticeSender {
  name: string
  logoUrl: string | null
  brand: Brand
  scanned: ShownThing | null
  helpCentreUrl: string | null
  email: string | null
  phone: string | null
  websiteUrl: string | null
  /** Where the owner signs in and sets up what was scanned. */
  setUpUrl?: string
}

export const senderBlock = ({ name, logoUrl, scanned }: NoticeSender): Html =>
  html`<header>${logoImage(logoUrl)}<b dir="auto">${name}</b></header>${scanned && scannedChip(scanned)}`

/** Where to go next. The first link is a button. */
export function senderLinks(
  { helpCentreUrl, email, phone, websiteUrl }: NoticeSender,
  labels: Labels,
): Html | undefined {
  const links = [
    helpCentreUrl && { href: helpCentreUrl, label: labels.helpCentre },
    email && { href: `mailto:${email}`, label: email },
    phone && { href: `tel:${phone.replace(/[^+\d]/g, '')}`, label: phone },
    websiteUrl && { href: websiteUrl, label: new URL(websiteUrl).hostname.replace(/^www\./, '') },
  ].filter((link) => typeof link === 'object' && link !== null)
  if (links.length === 0) return undefined
  return html`<ul class="steps">${links.map(
    ({ href, label }, n) => html`<li><a${n === 0 && html` class="button"`} href="${href}" dir="auto">${label}</a></li>`,
  )}</ul>`
}
