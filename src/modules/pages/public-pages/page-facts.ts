import { ByteCache } from '../../../platform/bounded/index.ts'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import { findFacts, type ScannedThing } from '../../codes/scanned-things/index.ts'
import { textsIn } from '../blocks/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { queryFact } from './blocks/form.ts'
import { type Facts, factsIn } from './rendering/placeholders.ts'

const BYTES_MAX = 8 * 1024 * 1024
const READ_TIMEOUT_MS = SECOND_MS
const NONE: Facts = new Map()

/**
 * What the texts of a page say about a scanned thing. It is read for every visit, by one or two point reads: changes of
 * names and properties are not announced. While the database is away, what was read last is shown.
 */
export class PageFacts {
  readonly bytesMax = BYTES_MAX
  readonly #database: Database
  readonly #names = new WeakMap<PublicPage, ReadonlySet<string>>()
  readonly #last = new ByteCache<Map<string, string>>(BYTES_MAX, (facts) =>
    [...facts].reduce((sum, [name, value]) => sum + 50 + 2 * (name.length + value.length), 50),
  )

  constructor(database: Database) {
    this.#database = database
  }

  get usedBytes(): number {
    return this.#last.usedBytes
  }

  /** Only the facts that the page names. */
  async find(page: PublicPage, scanned: ScannedThing | null): Promise<Facts> {
    const names = this.#namesIn(page)
    if (scanned === null || names.size === 0) return NONE
    const key = `${page.id} ${page.revision} ${scanned.id}`
    try {
      const all = await withTimeout(findFacts(this.#database.read, page.orgId, scanned), READ_TIMEOUT_MS)
      const facts = new Map([...all].filter(([name]) => names.has(name)))
      this.#last.set(key, facts)
      return facts
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return this.#last.get(key) ?? NONE
      throw error
    }
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
