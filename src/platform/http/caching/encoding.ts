/** How a body is sent. `identity` is not compressed. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** More than any client sends. The rest of a longer header is ignored, so that it costs no work. */
const PARTS_MAX = 20

/** A coding and its weight (RFC 9110, 12.4.2 and 12.5.3). */
const PART = /^([a-z0-9*_-]{1,32})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** Most requests have one of a few headers. Comparing takes a tenth of the time. */
let last: { header: string | undefined; encoding: Encoding } = { header: undefined, encoding: 'identity' }

/**
 * Chooses from `Accept-Encoding`: the highest weight, and brotli if there are several. Sends the body as it is if nothing
 * matches, even if the header excludes that: something has to be sent.
 */
export function chooseEncoding(sent: string | string[] | undefined): Encoding {
  const header = sent?.toString()
  if (header !== last.header) last = { header, encoding: header === undefined ? 'identity' : choose(header) }
  return last.encoding
}

function choose(header: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of header.split(',', PARTS_MAX)) {
    const [, name, weight = '1'] = PART.exec(part.trim().toLowerCase()) ?? []
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  const identity = weights.get('identity') ?? 0
  if (br > 0 && br >= gzip && br >= identity) return 'br'
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity'
}
