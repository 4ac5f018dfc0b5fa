import { type Brand, NO_BRAND, schemeOf, styleTag } from '../look/index.ts'
import { directionOf, pageLanguage } from '../text/direction.ts'
import { type Html, html } from '../text/html.ts'

/** The organisation that a mail comes from. */
export interface LetterSender {
  name: string
  /** One of our own files: a mail loads nothing else. */
  logoUrl: string | null
  brand: Brand
}

/** The content of a mail. All of it is plain text. */
export interface Letter {
  language: string
  subject: string
  /** What happened. */
  text: string
  /** Details, such as a device and a time. */
  facts: readonly { label: string; value: string }[]
  /** What to do about it. */
  link: { label: string; url: string }
  hint: string
  footer: string
  /** Left out if it comes from us, such as one about an account. */
  sender?: LetterSender | undefined
}

/** Mail programs that show no HTML use this. The link is alone on its line, so that they recognise all of it. */
export function toText({ text, facts, link, hint, footer }: Letter): string {
  const details = facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const paragraphs = [text, details, `${link.label}:\n${link.url}`, hint, `-- \n${footer}`]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

/** Loads nothing but the logo, and runs nothing. The address of the link is also shown, so that the reader sees where it goes. */
export function toHtml({ language, subject, text, facts, link, hint, footer, sender }: Letter): string {
  const brand = sender?.brand ?? NO_BRAND
  const { body, card, button, muted } = stylesOf(brand, 'light')
  const { corner_radius: radius } = brand
  return html`<!doctype html>
<html ${pageLanguage(language)}>
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title>${styleTag(darkStyle(brand))}</head>
<body dir="${directionOf(language)}" style="margin:0;padding:24px 12px;font:16px/1.6 system-ui,sans-serif;${body}">
<div class="card" style="max-width:520px;margin:0 auto;padding:24px;border-style:solid;border-width:1px;border-radius:${radius ?? 16}px;${card}">
${sender && head(sender)}<p>${text}</p>
${facts.map(({ label, value }) => html`<p style="margin:0;overflow-wrap:anywhere">${label}: <strong><bdi>${value}</bdi></strong></p>`)}
<p><a class="button" href="${link.url}" style="display:inline-block;padding:10px 20px;border-style:solid;border-width:1px;border-radius:${radius ?? 999}px;text-decoration:none;${button}">${link.label}</a></p>
<p class="muted" dir="ltr" style="font-size:14px;overflow-wrap:anywhere;${muted}">${link.url}</p>
<p>${hint}</p>
<p class="muted" style="font-size:14px;overflow-wrap:anywhere;${muted}">${footer}</p>
</div>
</body>
</html>
`.toString()
}

/** Programs that show no images show the name instead of the logo. */
const head = ({ name, logoUrl }: LetterSender): Html =>
  html`<p><strong>${
    logoUrl === null
      ? html`<bdi>${name}</bdi>`
      : html`<img src="${logoUrl}" alt="${name}" height="40" style="max-width:200px;height:40px;object-fit:contain">`
  }</strong></p>
`

/** Most mail programs only know colours that are part of an element. */
function stylesOf(brand: Brand, mode: 'light' | 'dark') {
  const { page, card, line, text, muted, fill, ink, rim } = schemeOf(brand, mode).tokens
  return {
    body: `background:${page};color:${text}`,
    card: `background:${card};border-color:${line}`,
    button: `background:${fill};color:${ink};border-color:${rim}`,
    muted: `color:${muted}`,
  }
}

/** Some mail programs have a dark mode. */
function darkStyle(brand: Brand): string {
  const rules = Object.entries(stylesOf(brand, 'dark')).map(
    ([name, style]) => `${name === 'body' ? '' : '.'}${name}{${style.replaceAll(/;|$/g, '!important$&')}}`,
  )
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`
}
