import { LIGHT } from '../look/index.ts'
import { directionOf, pageLanguage } from '../text/direction.ts'
import { html } from '../text/html.ts'

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
}

/** Mail programs that show no HTML use this. The link is alone on its line, so that they recognise all of it. */
export function toText({ text, facts, link, hint, footer }: Letter): string {
  const details = facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const paragraphs = [text, details, `${link.label}:\n${link.url}`, hint, `-- \n${footer}`]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

const BODY = `margin:0;padding:24px 12px;background:${LIGHT.page};color:${LIGHT.text};font:16px/1.6 system-ui,sans-serif`
const CARD = `max-width:520px;margin:0 auto;padding:24px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:16px`
const BUTTON = `display:inline-block;padding:10px 20px;border-radius:999px;background:${LIGHT.sign};color:${LIGHT.card};text-decoration:none`
const MUTED = `color:${LIGHT.muted};font-size:14px;overflow-wrap:anywhere`

/** Loads nothing and runs nothing. The address of the link is also shown, so that the reader sees where it goes. */
export function toHtml({ language, subject, text, facts, link, hint, footer }: Letter): string {
  return html`<!doctype html>
<html ${pageLanguage(language)}>
<head><meta charset="utf-8"><title>${subject}</title></head>
<body dir="${directionOf(language)}" style="${BODY}">
<div style="${CARD}">
<p>${text}</p>
${facts.map(({ label, value }) => html`<p style="margin:0;overflow-wrap:anywhere">${label}: <strong><bdi>${value}</bdi></strong></p>`)}
<p><a href="${link.url}" style="${BUTTON}">${link.label}</a></p>
<p dir="ltr" style="${MUTED}">${link.url}</p>
<p>${hint}</p>
<p style="${MUTED}">${footer}</p>
</div>
</body>
</html>
`.toString()
}
