import { type Html, html } from '../text/html.ts'

/** Something that was scanned, as visitors may see it. */
export interface ShownThing {
  name: string
  imageUrl: string | null
}

const TAG = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h8l8.5 8.5-8 8L4 12zM8 8v0"/></svg>`

/** The `alt` text is empty because the name is shown beside it. */
export const logoImage = (logoUrl: string | null): Html | false =>
  logoUrl !== null && html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer">`

/** Says what was scanned, with its picture if it has one. `text` has more words than its name. */
export const scannedChip = ({ name, imageUrl }: ShownThing, text = name): Html =>
  html`<p class="scanned">${
    imageUrl === null ? TAG : html`<img src="${imageUrl}" alt="" width="40" height="40" referrerpolicy="no-referrer">`
  }<span dir="auto">${text}</span></p>`
