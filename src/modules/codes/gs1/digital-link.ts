import { findAi, isAiValue } from './ai-values.ts'
import { REST } from './contract.ts'
import { normaliseGtin } from './gtin.ts'

/** What a GS1 Digital Link identifies. */
export interface DigitalLink {
  /** The AI of the primary key, as in `01`. */
  key: string
  /** A GTIN always has fourteen digits. */
  value: string
  /** Each has its AI. They are in the order of the path. */
  qualifiers: readonly (readonly [ai: string, value: string])[]
}

/** The qualifiers of a product, beside its GTIN. */
export interface ProductQualifiers {
  cpv: string | null
  lot: string | null
  serial: string | null
}

const GTIN = '01'
/** Longer than the longest valid link with every character escaped. */
const PATH_LENGTH_MAX = 512

/** Whether a path starts as a link does: with a primary key of the table. Its value may still be malformed. */
export function startsWithPrimaryKey(path: string): boolean {
  const end = path.indexOf('/', 1)
  return end !== -1 && path[0] === '/' && findAi(path.slice(1, end))?.qualifiers !== undefined
}

/** Parses the path of a GS1 Digital Link, starting at its primary key. Undefined unless the whole path is valid. */
export function parseDigitalLink(path: string): DigitalLink | undefined {
  if (path.length > PATH_LENGTH_MAX || path[0] !== '/' || path.includes('?')) return undefined
  const segments = path.slice(1, path.endsWith('/') ? -1 : undefined).split('/')
  if (segments.length % 2 !== 0) return undefined
  const key = segments[0] as string
  const sequences = findAi(key)?.qualifiers
  if (sequences === undefined) return undefined
  const value = decodeValue(key, segments[1] as string)
  if (value === undefined) return undefined
  const qualifiers: [string, string][] = []
  for (let at = 2; at < segments.length; at += 2) {
    const ai = segments[at] as string
    const qualifier = decodeValue(ai, segments[at + 1] as string)
    if (qualifier === undefined) return undefined
    qualifiers.push([ai, qualifier])
  }
  const isInOrder = (sequence: readonly string[]): boolean => {
    let next = 0
    return qualifiers.every(([ai]) => {
      next = sequence.indexOf(ai, next) + 1
      return next > 0
    })
  }
  return sequences.some(isInOrder) ? { key, value, qualifiers } : undefined
}

/** Whether values of a key can go on after this one: a GIAI can, an SSCC cannot. Only then can a key be a prefix of others. */
export const isOpenEnded = (gs1Key: string): boolean => {
  const [ai = '', , ...qualifiers] = gs1Key.split('/')
  return qualifiers.length === 0 && findAi(ai)?.format.includes('..') === true
}

/** The path of a link, with every reserved character escaped. The same thing always has the same path. */
export const linkPath = ({ key, value, qualifiers }: DigitalLink): string =>
  [[key, value], ...qualifiers].map(([ai, text]) => `/${ai}/${escapeValue(text as string)}`).join('')

/** The path of a product, or of one lot or item of it. */
export function digitalLinkPath(gtin14: string, { cpv, lot, serial }: Partial<ProductQualifiers> = {}): string {
  const given = [
    ['22', cpv],
    ['10', lot],
    ['21', serial],
  ].filter((pair): pair is [string, string] => pair[1] != null)
  return linkPath({ key: GTIN, value: gtin14, qualifiers: given })
}

/**
 * The stored form of an object's GS1 key: the path of its link without the leading slash, as in `8004/9506000A1` or
 * `414/9506000134352/254/B2`. A key that ends with `{rest}` stands for all keys that begin like it. Undefined when it is
 * malformed, and for a GTIN: that identifies a product.
 */
export function normaliseGs1Key(text: string): string | undefined {
  const isPrefix = text.endsWith(REST)
  const link = parseDigitalLink(`/${isPrefix ? text.slice(0, -REST.length) : text}`)
  if (link === undefined || link.key === GTIN) return undefined
  const gs1Key = linkPath(link).slice(1)
  if (!isPrefix) return gs1Key
  return isOpenEnded(gs1Key) ? gs1Key + REST : undefined
}

export function toProductQualifiers({ qualifiers }: DigitalLink): ProductQualifiers {
  const found = { cpv: null, lot: null, serial: null } as ProductQualifiers
  for (const [ai, value] of qualifiers) {
    if (ai === '22') found.cpv = value
    else if (ai === '10') found.lot = value
    else if (ai === '21') found.serial = value
  }
  return found
}

/** Undefined when invalid. Decodes once: `%2525` becomes the three characters `%25`. */
function decodeValue(ai: string, escaped: string): string | undefined {
  let value = escaped
  if (escaped.includes('%')) {
    try {
      value = decodeURIComponent(escaped)
    } catch {
      return undefined
    }
  }
  if (ai === GTIN) return normaliseGtin(value)
  return isAiValue(ai, value) ? value : undefined
}

/** Escapes also `!'()*`, which `encodeURIComponent` leaves. */
export const escapeValue = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
