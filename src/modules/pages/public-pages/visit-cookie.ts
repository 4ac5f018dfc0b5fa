import { DAY_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { readCookie } from '../../../platform/http/server/cookies.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'

/** What we know about a visit of a page. */
export interface PageVisit {
  /** Random. */
  id: string
  openedAtMs: number
  /** Null for a visitor who did not scan a code. */
  scanId: string | null
  /** The parameters of the address that the visitor opened, and those of the code. */
  query: Readonly<Record<string, string>>
  countedAtMs: number
}

type SealedVisit = PageVisit & { pageId: string }

/** A visitor who comes back later is counted again. */
export const VISIT_MS = 30 * MINUTE_MS
/** Somebody may take a day to fill in a form. */
const AGE_MAX_MS = DAY_MS
/** Browsers drop cookies of more than 4 KB. */
const QUERY_BYTES_MAX = 1500

/** A cookie of one page, signed so that nobody can change it. Pages work without it. */
export class VisitCookie {
  readonly #keyring: Keyring
  readonly #name: string
  readonly #attributes: string

  constructor(keyring: Keyring, publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:')
    this.#keyring = keyring
    this.#name = isSecure ? '__Secure-wm_visit' : 'wm_visit'
    this.#attributes = `Max-Age=${AGE_MAX_MS / 1000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** The value of a `Set-Cookie` header. `path` is that of the page, or of the code that shows it in place. */
  seal(pageId: string, visit: PageVisit, path: string): string {
    const data = Buffer.from(JSON.stringify({ ...visit, pageId, query: shortened(visit.query) })).toString('base64url')
    const { generation, signature } = this.#keyring.sign('visit', data)
    return `${this.#name}=${data}.${generation}.${signature.toString('base64url')}; Path=${path}; ${this.#attributes}`
  }

  /** Returns undefined without a cookie, and for one that is malformed, forged, too old or of another page. */
  open(pageId: string, header: string | undefined, nowMs: number): PageVisit | undefined {
    const [data = '', generation, signature] = (readCookie(header, this.#name) ?? '').split('.')
    if (generation === undefined || signature === undefined) return undefined
    const bytes = Buffer.from(signature, 'base64url')
    if (!this.#keyring.verify('visit', Number(generation), data, bytes)) return undefined
    const { pageId: ofPage, ...visit } = parse(data) as SealedVisit
    return ofPage === pageId && nowMs - visit.countedAtMs < AGE_MAX_MS ? visit : undefined
  }

  /**
   * Whether the visitor was counted a short time ago, according to a cookie whose signature is not checked: that takes a
   * quarter of the time of a cached page, and a visitor who does not want to be counted need not forge a cookie.
   */
  saysCounted(pageId: string, header: string | undefined, nowMs: number): boolean {
    const [data = ''] = (readCookie(header, this.#name) ?? '').split('.', 1)
    const { pageId: ofPage, countedAtMs } = parse(data) ?? {}
    return ofPage === pageId && typeof countedAtMs === 'number' && Math.abs(nowMs - countedAtMs) < VISIT_MS
  }
}

function parse(data: string): Partial<SealedVisit> | undefined {
  try {
    return JSON.parse(Buffer.from(data, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Leaves out what does not fit. */
function shortened(query: PageVisit['query']): PageVisit['query'] {
  let bytes = 0
  const fits = ([key, value]: [string, string]) => {
    const size = Buffer.byteLength(key) + Buffer.byteLength(value)
    if (bytes + size > QUERY_BYTES_MAX) return false
    bytes += size
    return true
  }
  return Object.fromEntries(Object.entries(query).filter(fits))
}
