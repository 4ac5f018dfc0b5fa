import { type Html, html } from '../../../platform/text/html.ts'

/** Icons of categories and of the pages themselves, as strokes on a 24 × 24 grid. */
const ICONS = {
  'folder-closed': html`<path d="M3 6.5a1.5 1.5 0 0 1 1.5-1.5H9l2.5 3h8A1.5 1.5 0 0 1 21 9.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM3 11h18"/>`,
  'folder-open': html`<path d="M4 18.5V6.5A1.5 1.5 0 0 1 5.5 5H9l2.5 3h6A1.5 1.5 0 0 1 19 9.5V11M4 19l2.6-7.2q.3-.8 1.1-.8h13L18 18.2q-.3.8-1.1.8z"/>`,
  'book-open': html`<path d="M12 6.5Q8.5 4 3 4.5v14q5.5-.5 9 2 3.5-2.5 9-2v-14Q15.5 4 12 6.5m0 0v14"/>`,
  'file-text': html`<path d="M6 3h8l5 5v13H6zM14 3v5h5M9.5 12.5h6M9.5 16.5h6"/>`,
  'help-circle': html`<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3q-1 .5-1 1.7M12 17v0"/>`,
  lightbulb: html`<path d="M9 17c0-2-3-3.5-3-7.5a6 6 0 0 1 12 0c0 4-3 5.5-3 7.5zM10 21h4"/>`,
  'message-square': html`<path d="M4 4h16v12H10l-4.5 4V16H4zM8 8.5h8M8 11.8h5"/>`,
  settings: html`<path d="M4 7h8M18 7h2M4 17h2M12 17h8"/><circle cx="15" cy="7" r="2.7"/><circle cx="9" cy="17" r="2.7"/>`,
  star: html`<path d="m12 3.5 2.6 5.6 6.1.8-4.5 4.2 1.2 6.1-5.4-3-5.4 3 1.2-6.1-4.5-4.2 6.1-.8z"/>`,
  zap: html`<path d="M13 3 5 13.5h6L10 21l9-11h-6.5z"/>`,
  shield: html`<path d="M12 3q3.5 2.5 7.5 2.5c.5 7-2 12-7.5 15.5-5.5-3.5-8-8.5-7.5-15.5Q8.5 5.5 12 3m-3.2 9 2.3 2.3 4.2-4.5"/>`,
  globe: html`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18"/>`,
  archive: html`<path d="M3 4h18v4.5H3zM5 8.5V20h14V8.5M10 12.5h4"/>`,
  search: html`<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>`,
}

type IconName = keyof typeof ICONS

/** Decorative, so it is hidden from screen readers. An unknown name falls back to a folder. */
export const icon = (name: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[knownName(name)]}</svg>`

/** Defines icons that the page then repeats with `repeatedIcon`, which is shorter. */
export const defineIcons = (names: readonly string[]): Html =>
  html`<svg class="hidden" aria-hidden="true">${[...new Set(names.map(knownName))].map(
    (name) => html`<symbol id="icon-${name}" viewBox="0 0 24 24">${ICONS[name]}</symbol>`,
  )}</svg>`

export const repeatedIcon = (name: string): Html =>
  html`<svg aria-hidden="true"><use href="#icon-${knownName(name)}"/></svg>`

const knownName = (name: string): IconName => (isKnown(name) ? name : 'folder-closed')

const isKnown = (name: string): name is IconName => Object.hasOwn(ICONS, name)
