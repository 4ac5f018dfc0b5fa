import type { IncomingHttpHeaders } from 'node:http'

const PARTS_MAX = 20
const PART = /^([\w*]+\/[\w.+*-]+)(?:[^,]*?;[ \t]*q=([01](?:\.\d{0,3})?))?/
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

/** Whether a program asks: it sends a credential, or prefers JSON to HTML. `*` alone says nothing. */
export function wantsJson({ authorization, accept }: IncomingHttpHeaders): boolean {
  if (authorization !== undefined) return true
  if (accept === undefined) return false
  let [json, html] = [0, 0]
  for (const part of accept.toLowerCase().split(',', PARTS_MAX)) {
    const [, type = '', weight = '1'] = PART.exec(part.trim()) ?? []
    if (JSON_TYPE.test(type)) json = Math.max(json, Number(weight))
    else if (type === 'text/html' || type === 'application/xhtml+xml') html = Math.max(html, Number(weight))
  }
  return json > html
}
