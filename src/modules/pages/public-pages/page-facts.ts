import { ByteCache } from '../../../platform/bounded/index.ts'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import type { ShownThing } from '../../../platform/look/index.ts'
import { findFacts, findShownThing, type ScannedThing } from '../../codes/scanned-things/index.ts'
import { textsIn } from '../blocks/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { queryFact } from './blocks/form.ts'
import { type Facts, factsIn } from './rendering/placeholders.ts'

const BYTES_MAX = 8 * 1024 * 1024
const READ_TIMEOUT_MS = SECOND_MS
const NO_FACTS: Facts = new Map()
const NOTHING: KnownThing = { facts: NO_FACTS, thing: null }

/** What is known about a scanned thing. */
interface KnownThing {
  /** Those that the texts of the page name. */
  facts: Facts
  /** What every page shows of it. */
  thing: ShownThing | null
}

/**
 * What a page and its texts say about a scanned thing. It is read for every visit after a scan, by one to three point reads:
 * changes of names and properties are not announced. While the database is away, what was read last is shown.
 */
export class PageFacts {
  readonly bytesMax = BYTES_MAX
  readonly #database: Database
  readonly #names = new WeakMap<PublicPage, ReadonlySet<string>>()
  readonly #last = new ByteCache<KnownThing>(BYTES_MAX, ({ facts, thing }) =>
    [...facts].reduce(
      (sum, [name, value]) => sum + 50 + 2 * (name.length + value.length),
      50 + 2 * JSON.stringify(thing).length,
    ),
  )

  constructor(database: Database) {
    this.#database = database
  }

  get usedBytes(): number {
    return this.#last.usedBytes
  }

  async find(page: PublicPage, scanned: ScannedThing | null): Promise<KnownThing> {
    if (scanned === null) return NOTHING
    const key = `${page.id} ${page.revision} ${scanned.id}`
    try {
      const known = await withTimeout(this.#read(page, scanned), READ_TIMEOUT_MS)
      this.#last.set(key, known)
      return known
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return this.#last.get(key) ?? NOTHING
      throw error
    }
  }

  async #read(page: PublicPage, scanned: ScannedThing): Promise<KnownThing> {
    const { read } = this.#database
    const names = this.#namesIn(page)
    const [thing, all] = await Promise.all([
      findShownThing(read, page.orgId, scanned),
      names.size === 0 ? NO_FACTS : findFacts(read, page.orgId, scanned),
    ])
    return { thing, facts: new Map([...all].filter(([name]) => names.has(name))) }
  }

  #namesIn(page: PublicPage): ReadonlySet<string> {
    const known = this.#names.get(page)
    if (known !== undefined) return known
    const { title, metaTitle, metaDescription, translations, blocks } = page
    const texts = textsIn({ title, metaTitle, metaDescription, translations, blocks })
    const names = new Set([...texts].flatMap(({ text }) => factsIn(text)))
    this.#names.set(page, names)
    return names
  }
}

/** The parameters of the visitor's address that hidden fields of the page ask for. */
export function factsOfQuery(page: PublicPage, query: Readonly<Record<string, string>>): Facts {
  const facts = new Map<string, string>()
  for (const { type, config } of page.blocks) {
    if (type !== 'form_hidden' || config.query_param === null) continue
    const value = query[config.query_param]
    if (value !== undefined) facts.set(queryFact(config.query_param), value)
  }
  return facts
}
