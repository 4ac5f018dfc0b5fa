import { type Html, html } from '../../../platform/text/html.ts'

/** Strokes on a 24 × 24 grid. */
const ICONS = {
  send: html`<path d="M4 12 20 4.5 15.5 20l-3.2-6.3zM12.3 13.7 20 4.5"/>`,
  attach: html`<path d="m19.5 11.5-7.4 7.3a4.8 4.8 0 0 1-6.8-6.8l7.8-7.7a3.2 3.2 0 0 1 4.6 4.5l-7.6 7.5a1.6 1.6 0 0 1-2.3-2.3l6.7-6.6"/>`,
  more: html`<path d="M5 12v0M12 12v0M19 12v0" stroke-width="3"/>`,
  close: html`<path d="m6 6 12 12M18 6 6 18"/>`,
  person: html`<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5a7.5 7.5 0 0 1 15 0"/>`,
  file: html`<path d="M6 3h8l5 5v13H6zM14 3v5h5"/>`,
  up: html`<path d="M8 11v9H4v-9zm0 0 4-7.5a2 2 0 0 1 2.5 2.3L13.6 10H20l-1.8 8.6a1.8 1.8 0 0 1-1.8 1.4H8"/>`,
  down: html`<path d="M8 13V4H4v9zm0 0 4 7.5a2 2 0 0 0 2.5-2.3l-.9-4.2H20l-1.8-8.6A1.8 1.8 0 0 0 16.4 4H8"/>`,
  lock: html`<path d="M5.5 10.5h13V20h-13zM8.5 10.5V7.2a3.5 3.5 0 0 1 7 0v3.3"/>`,
}

/** Decorative, so it is hidden from screen readers. */
export const icon = (name: keyof typeof ICONS): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`
