import { type Html, html } from '../../../../platform/text/html.ts'

/** Strokes on a 24 × 24 grid. The kinds of banners differ by shape, not only by colour. */
const ICONS = {
  info: html`<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v0"/>`,
  success: html`<circle cx="12" cy="12" r="9"/><path d="m8 12.3 2.8 2.8L16 9.5"/>`,
  warning: html`<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v0"/>`,
  danger: html`<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 7.5V13M12 16.5v0"/>`,
  phone: html`<path d="M5 4h4l1.5 4.5L8 10.2q1.7 3.6 5.8 5.8l1.7-2.5L20 15v4q-.3 1.4-2 1.3Q5 19 3.7 6 3.6 4.3 5 4"/>`,
  email: html`<path d="M3 6h18v12.5H3zM3 7l9 6.5L21 7"/>`,
  website: html`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18"/>`,
  address: html`<path d="M12 21q7-6.5 7-11.5a7 7 0 0 0-14 0Q5 14.5 12 21"/><circle cx="12" cy="9.5" r="2.5"/>`,
  clock: html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5.3l3.3 2"/>`,
  eye: html`<path d="M2.5 12Q7 5.5 12 5.5t9.5 6.5Q17 18.5 12 18.5T2.5 12"/><circle cx="12" cy="12" r="2.8"/>`,
  file: html`<path d="M6 3h8l5 5v13H6zM14 3v5h5M12 11v6m-2.5-2.3L12 17.2l2.5-2.5"/>`,
  play: html`<path d="M7 4.5v15l12.5-7.5z"/>`,
  add: html`<path d="M12 5v14M5 12h14"/>`,
  camera: html`<path d="M3 8h4l2-3h6l2 3h4v11H3z"/><circle cx="12" cy="13" r="3.5"/>`,
  star: html`<path d="m12 3.5 2.6 5.6 6.1.8-4.5 4.2 1.2 6.1-5.4-3-5.4 3 1.2-6.1-4.5-4.2 6.1-.8z"/>`,
}

export type IconName = keyof typeof ICONS

/** Decorative, so it is hidden from screen readers. */
export const icon = (name: IconName): Html => html`<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`
