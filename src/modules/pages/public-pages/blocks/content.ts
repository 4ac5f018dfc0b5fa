import { type Html, html, raw } from '../../../../platform/text/html.ts'
import type { Block, BlockOf } from '../../blocks/index.ts'
import { type IconName, icon } from '../rendering/icons.ts'
import { fillHtml } from '../rendering/placeholders.ts'
import type { View } from '../rendering/view.ts'

/** What a browser plays itself. Everything else is shown as a link. */
const VIDEO_FILE = /\.(?:mp4|m4v|webm|ogv|mov)$/i

/** Blocks that only show something. Returns false for what cannot be shown. */
export function contentBlock(view: View, block: Block): Html | false {
  switch (block.type) {
    case 'heading':
      return heading(view, block.config)
    case 'text':
      // A `div`, because the text may contain anything that is allowed in Markdown, see platform/markdown.
      return html`<div class="prose ${block.config.alignment}${view.color(block.config.color)}"${view.attributes(block.config.text)}>${raw(
        fillHtml(view.prose.get(block.id) ?? '', view.facts),
      )}</div>`
    case 'image':
      return image(view, block.config)
    case 'video':
      return video(view, block.config)
    case 'divider':
      return html`<hr class="${block.config.style}${view.color(block.config.color)}">`
    case 'banner':
      return banner(view, block.config)
    case 'button':
      return button(view, block)
    case 'contact':
      return contact(view, block)
    case 'file':
      return file(view, block.config)
    default:
      return false
  }
}

function heading(view: View, { text, level, alignment, color }: BlockOf<'heading'>['config']): Html {
  return html`<h${level} class="${alignment}${view.color(color)}"${view.attributes(text)}>${view.text(text)}</h${level}>`
}

function image(view: View, config: BlockOf<'image'>['config']): Html | false {
  const [source, link, caption, alt] = [
    view.url(config.url),
    view.url(config.link_url),
    view.note(config.caption),
    view.note(config.alt),
  ]
  if (source === undefined) return false
  // A link must have a name.
  const name = link !== undefined && alt === '' ? caption || new URL(link).host : alt
  const picture = html`<img src="${source}" alt="${name}" loading="lazy" decoding="async">`
  return html`<figure class="${config.width}">${link === undefined ? picture : html`<a href="${link}" rel="noopener">${picture}</a>`}${
    caption !== '' && html`<figcaption${view.attributes(config.caption)}>${caption}</figcaption>`
  }</figure>`
}

function video(view: View, { url, title, poster_url, caption }: BlockOf<'video'>['config']): Html | false {
  const source = view.url(url)
  if (source === undefined) return false
  const [name, poster, note] = [view.text(title), view.url(poster_url), view.note(caption)]
  const isFile = URL.canParse(source) && VIDEO_FILE.test(new URL(source).pathname)
  const player = isFile
    ? html`<video src="${source}" aria-label="${name}"${poster && html` poster="${poster}"`} controls playsinline preload="${
        poster === undefined ? 'metadata' : 'none'
      }"></video>`
    : html`${poster && html`<img src="${poster}" alt="" loading="lazy" decoding="async">`}<a class="btn secondary" href="${source}" rel="noopener">${icon(
        'play',
      )}<span${view.attributes(title)}>${name}<span class="hidden"${view.ours}> – ${view.texts.watchVideo}</span></span></a>`
  return html`<figure>${player}${note !== '' && html`<figcaption${view.attributes(caption)}>${note}</figcaption>`}</figure>`
}

function banner(view: View, { kind, title, text }: BlockOf<'banner'>['config']): Html {
  const heading = view.note(title)
  return html`<div class="banner ${kind}" role="note">${icon(kind)}<div${view.attributes(text)}><bdi class="hidden"${view.ours}>${view.texts.banners[kind]}: </bdi>${
    heading !== '' && html`<b${view.attributes(title)}>${heading}</b>`
  }<p>${view.text(text)}</p></div></div>`
}

/** Left out if its destination was deleted. */
function button(view: View, block: BlockOf<'button'>): Html | false {
  const { label, url, style } = block.config
  const link = view.url(url) ?? view.linkOf(block)
  return (
    link !== undefined &&
    html`<a class="btn ${style}" href="${link}"${view.attributes(label)}${!link.startsWith('/') && html` rel="noopener"`}>${view.text(label)}</a>`
  )
}

function contact(view: View, { id, config }: BlockOf<'contact'>): Html {
  const { name, organisation, job_title, phone, email, website, address } = config
  const { contact } = view.texts
  const role = [view.note(job_title), organisation ?? ''].filter((part) => part !== '').join(', ')
  const url = view.url(website)
  const row = (kind: IconName & keyof typeof contact, text: string, href?: string) => {
    const inner = html`${icon(kind)}<span dir="auto"><bdi class="hidden"${view.ours}>${contact[kind]}: </bdi>${text}</span>`
    return html`<li>${href === undefined ? html`<div class="row">${inner}</div>` : html`<a class="row" href="${href}">${inner}</a>`}</li>`
  }
  const rows = [
    phone !== null && row('phone', phone, `tel:${phone.replace(/[^\d+*#,;]/g, '')}`),
    email !== null && row('email', email, `mailto:${encodeURIComponent(email).replace('%40', '@')}`),
    url !== undefined && row('website', url.replace(/^https?:\/\/(www\.)?|\/$/gi, ''), url),
    address !== null && row('address', address),
  ]
  return html`<div class="card"><strong dir="auto">${name}</strong>${role !== '' && html`<small${view.attributes(job_title)}>${role}</small>`}${
    rows.some(Boolean) && html`<ul>${rows}</ul>`
  }<a class="btn secondary" href="/p/${view.page.publicSlug}/contact/${id}.vcf?lang=${view.language}" download${view.ours}>${contact.save}</a></div>`
}

function file(view: View, { url, label, description }: BlockOf<'file'>['config']): Html | false {
  const source = view.url(url)
  const note = view.note(description)
  return (
    source !== undefined &&
    html`<a class="card row" href="${source}" rel="noopener" download>${icon('file')}<span${view.attributes(label)}>${view.text(label)}<span class="hidden"${view.ours}> – ${
      view.texts.download
    }</span>${note !== '' && html`<small${view.attributes(description)}>${note}</small>`}</span></a>`
  )
}
