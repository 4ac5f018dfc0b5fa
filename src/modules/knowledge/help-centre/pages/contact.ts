import { type Html, html } from '../../../../platform/text/html.ts'
import type { Centre } from '../../public-articles/index.ts'
import type { Texts } from '../texts.ts'

type Contact = Pick<Centre, 'contactEmail' | 'contactPhone'>

/** The footer shows this. */
export const contactInFooter = (contact: Contact, { contact: label }: Texts): Html | false =>
  hasContact(contact) && html`<address aria-label="${label}">${links(contact)}</address>`

/** Pages on which visitors did not find what they look for show this. */
export const contactBlock = (contact: Contact, { needHelp }: Texts): Html | false =>
  hasContact(contact) &&
  html`<section class="contact"><h2>${needHelp}</h2><address>${links(contact)}</address></section>`

const hasContact = ({ contactEmail, contactPhone }: Contact): boolean => contactEmail !== null || contactPhone !== null

const links = ({ contactEmail, contactPhone }: Contact): Html =>
  html`${
    contactEmail !== null &&
    html`<a href="mailto:${contactEmail.replace(/[^\w.@+-]/g, encodeURIComponent)}" dir="ltr">${contactEmail}</a>`
  }${contactPhone !== null && html`<a href="tel:${contactPhone.replace(/[^\d+]/g, '')}" dir="ltr">${contactPhone}</a>`}`
