import type { Env, MarkdownIt, StateCore, Token } from 'markdown-it'
import { html } from '../text/html.ts'

/** A part of a text that readers do not see as it was written. */
export interface Warning {
  /** Starting at 1. */
  line: number
  message: string
}

const WARNINGS = Symbol('warnings')
const WARNINGS_MAX = 50
const SHOWN_LENGTH_MAX = 200

const KINDS: Readonly<Record<string, string>> = {
  iframe: 'An embedded page',
  video: 'A video',
  audio: 'A recording',
  embed: 'An embedded file',
  object: 'An embedded file',
}

/** Ends at the next tag, so that a text with many unfinished tags is not read again and again. */
const OPENING = /<(iframe|video|audio|embed|object)(?=[\s/>])([^<>]*)>/gi
const OPENING_TAG = new RegExp(OPENING.source, 'i')
const CLOSING = /^<\/(iframe|video|audio|object)\s*>$/i
const VALUE = String.raw`\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`
const SOURCE = new RegExp(String.raw`(?:^|\s)(?:src|data)${VALUE}`, 'i')
const TITLE = new RegExp(String.raw`(?:^|\s)title${VALUE}`, 'i')

export const warningsIn = (env: Env): Warning[] => (env[WARNINGS] as Warning[] | undefined) ?? []

/** Replaces what we do not show, such as videos, by links to it. The result is sanitised like everything else. */
export function addEmbeddedMedia(md: MarkdownIt): void {
  md.core.ruler.push('embedded_media', ({ tokens, env }: StateCore) => {
    for (const token of tokens) {
      const firstLine = (token.map?.[0] ?? 0) + 1
      if (token.type === 'html_block') token.content = replaceMedia(token.content, firstLine, env)
      else if (token.type === 'inline' && token.children !== null) replaceInline(token.children, firstLine, env)
    }
  })
}

function replaceMedia(text: string, firstLine: number, env: Env): string {
  if (!OPENING_TAG.test(text)) return text
  const lower = text.toLowerCase()
  let [replaced, end, line, countedTo] = ['', 0, firstLine, 0]
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of text.matchAll(OPENING)) {
    if (index < end) continue
    for (let at = text.indexOf('\n', countedTo); at !== -1 && at < index; at = text.indexOf('\n', countedTo)) {
      line++
      countedTo = at + 1
    }
    const closing = lower.indexOf(`</${name.toLowerCase()}`, index)
    const isEmpty = closing === -1 || name.toLowerCase() === 'embed'
    const inner = isEmpty ? '' : text.slice(index + tag.length, closing)
    replaced += text.slice(end, index) + toLink(name, attributes, inner, line, env)
    end = isEmpty ? index + tag.length : lower.indexOf('>', closing) + 1 || text.length
  }
  return replaced + text.slice(end)
}

/** Within a paragraph, every tag is a token of its own. */
function replaceInline(children: Token[], firstLine: number, env: Env): void {
  /** The keys are names, the values the last closing tag of each. */
  const closings = new Map(children.map((token, n) => [closedBy(token), n]))
  let line = firstLine
  for (let n = 0; n < children.length; n++) {
    const token = children[n] as Token
    if (token.type === 'softbreak' || token.type === 'hardbreak') line++
    if (token.type !== 'html_inline') continue
    const [, name = '', attributes = ''] = OPENING_TAG.exec(token.content) ?? []
    if (name === '') continue
    const opened = n
    let inner = ''
    if ((closings.get(name.toLowerCase()) ?? -1) > n) {
      for (let isOpen = true; isOpen; ) {
        const next = children[++n] as Token
        isOpen = closedBy(next) !== name.toLowerCase()
        if (next.type === 'html_inline') inner += next.content
      }
    }
    token.content = toLink(name, attributes, inner, line, env)
    for (const hidden of children.slice(opened + 1, n + 1)) hide(hidden)
  }
}

const closedBy = ({ type, content }: Token): string | undefined =>
  type === 'html_inline' ? CLOSING.exec(content)?.[1]?.toLowerCase() : undefined

function hide(token: Token): void {
  token.type = 'text'
  token.tag = ''
  token.content = ''
  token.children = null
}

function toLink(name: string, attributes: string, inner: string, line: number, env: Env): string {
  const url =
    attributeIn(SOURCE, attributes) ?? attributeIn(SOURCE, /<(?:source|embed)\s[^<>]*/i.exec(inner)?.[0] ?? '')
  const isLink = url !== undefined && /^(?:https?:$|$)/.test(/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase() ?? '')
  const kind = KINDS[name.toLowerCase()]
  warn(env, line, isLink ? `${kind} cannot be shown here. It became a link: ${shorten(url)}` : `${kind} was left out.`)
  if (!isLink) return ''
  return html`<a href="${url}">${attributeIn(TITLE, attributes) || shorten(url)}</a>`.toString()
}

const attributeIn = (pattern: RegExp, attributes: string): string | undefined =>
  pattern
    .exec(attributes)
    ?.slice(1)
    .find((value) => value !== undefined)
    ?.replaceAll('&amp;', '&')
    .trim()

const shorten = (url: string): string =>
  url.length > SHOWN_LENGTH_MAX ? `${url.slice(0, SHOWN_LENGTH_MAX).toWellFormed()}…` : url

function warn(env: Env, line: number, message: string): void {
  const warnings = warningsIn(env)
  env[WARNINGS] = warnings
  if (warnings.length < WARNINGS_MAX) warnings.push({ line, message })
}
