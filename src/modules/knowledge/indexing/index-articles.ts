import { SECOND_MS, type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import {
  type Analyser,
  analyseText,
  type IndexEntry,
  indexTexts,
  selectDigests,
  unindexTexts,
} from '../article-search/index.ts'
import { type Article, articleEvents, selectArticle, toArticle } from '../articles/index.ts'
import {
  type ClaimedArticle,
  lockClaimed,
  lockDue,
  selectLanguagesOf,
  selectSearchableText,
  setDue,
  setIndexing,
  updateIndexed,
} from './queries.ts'

/**
 * A published article becomes `pending` when its searchable fields change, `processing` while a worker has claimed it,
 * then `indexed`, or `failed` after `ATTEMPTS_MAX` attempts. `indexing_due_at` is when a worker should look at it. A
 * claim sets it to the end of the lease, so the article becomes due again if the worker dies; a change sets it to
 * another time, so the worker sees that its claim is outdated.
 *
 * A claim ends after a limited amount of work. An article that is not complete by then is `pending` again, and goes on
 * with the texts that are not in the index yet.
 */

/** After this time another worker may claim the article. A claim takes a second, on a busy machine much longer. */
const LEASE_MS = 60 * SECOND_MS
const CLAIMED_MAX = 25
const ATTEMPTS_MAX = 3
const RETRY_MS = 10 * SECOND_MS

/** The work of one claim ends with the text that exceeds one of these. Indexing this many terms takes 10 ms. */
const PIECE_TERMS_MAX = 6000
const PIECE_LENGTH_MAX = 500_000

/** The articles of an organisation that one worker has leased. */
export interface Claim {
  orgId: OrgId
  /** The order is that in which they became due. */
  ids: string[]
  /** When the first of them became due. */
  dueAt: string
  /** The end of the lease. An article with another value has changed since it was claimed. */
  lease: Timestamp
}

/** Leases due articles. */
export async function claimForIndexing(tx: Tx, orgId: OrgId, nowMs: number): Promise<Claim | undefined> {
  const due = await lockDue(tx, orgId, timestamp(nowMs), CLAIMED_MAX)
  const [first] = due
  if (first === undefined) return undefined
  const claim = {
    orgId,
    ids: due.map(({ id }) => id),
    dueAt: first.indexing_due_at,
    lease: timestamp(nowMs + LEASE_MS),
  }
  await setDue(tx, orgId, claim.ids, claim.lease, 'processing')
  return claim
}

/** What is to be written for an article. */
export interface PreparedArticle {
  id: string
  /** The texts that changed. */
  entries: IndexEntry[]
  /** The languages of texts that no longer exist. */
  goneLanguages: string[]
  /** Whether these are all texts that changed. */
  isComplete: boolean
}

/** Prepares claimed articles until there is enough for one transaction. */
export class Piece {
  readonly articles: PreparedArticle[] = []
  readonly #database: Database
  readonly #analyser: Analyser
  readonly #orgId: OrgId
  #terms = 0
  #analysedLength = 0
  #readLength = 0

  constructor(database: Database, analyser: Analyser, orgId: OrgId) {
    this.#database = database
    this.#analyser = analyser
    this.#orgId = orgId
  }

  get isFull(): boolean {
    return this.#hasEnoughEntries || this.#readLength >= PIECE_LENGTH_MAX
  }

  get #hasEnoughEntries(): boolean {
    return this.#terms >= PIECE_TERMS_MAX || this.#analysedLength >= PIECE_LENGTH_MAX
  }

  /** Analyses the texts of an article that are not in the index, one after the other. */
  async add(id: string): Promise<void> {
    const { read } = this.#database
    const digests = await selectDigests(read, this.#orgId, id)
    const languages = await selectLanguagesOf(read, this.#orgId, id)
    const entries: IndexEntry[] = []
    // First the texts that are not in the index in any form: the others have to be read to see whether they changed.
    const [missing, indexed] = [
      languages.filter((name) => !digests.has(name)),
      languages.filter((name) => digests.has(name)),
    ]
    let isComplete = true
    for (const language of [...missing, ...indexed]) {
      if (this.#hasEnoughEntries) {
        isComplete = false
        break
      }
      const entry = await this.#analyse(id, language, digests.get(language))
      if (entry !== undefined) entries.push(entry)
    }
    const goneLanguages = [...digests.keys()].filter((language) => !languages.includes(language))
    this.articles.push({ id, entries, goneLanguages, isComplete })
  }

  async #analyse(id: string, language: string, digest: string | undefined): Promise<IndexEntry | undefined> {
    const { read, readLong } = this.#database
    const text = await selectSearchableText(readLong, this.#orgId, id, language)
    // Deleted meanwhile. The article is due again then.
    if (text === undefined) return undefined
    this.#readLength += text.plain.length
    const entry = await analyseText(read, this.#analyser, this.#orgId, text, digest)
    if (entry === undefined) return undefined
    this.#analysedLength += text.plain.length
    this.#terms += entry.termCount + entry.passageTermCount
    return entry
  }
}

/** For the events. */
interface IndexedAt {
  now: Timestamp
  /** What the public addresses of the organisation begin with. */
  publicUrl: string
}

/**
 * Writes prepared articles, all or none. Those that are complete become `indexed`. Skips articles that have changed
 * since they were claimed: they are due again.
 */
export async function indexPrepared(
  tx: Tx,
  { orgId, lease }: Claim,
  articles: readonly PreparedArticle[],
  { now, publicUrl }: IndexedAt,
): Promise<void> {
  const claimed = new Map(
    (
      await lockClaimed(
        tx,
        orgId,
        articles.map(({ id }) => id),
        lease,
      )
    ).map((row) => [row.id, row]),
  )
  const current = articles.flatMap((article) => {
    const row = claimed.get(article.id)
    return row === undefined ? [] : [{ ...article, ...row }]
  })
  const gone = current.flatMap(({ id, goneLanguages }) =>
    goneLanguages.map((language) => ({ article_id: id, language })),
  )
  if (gone.length > 0) await unindexTexts(tx, orgId, gone)
  await indexTexts(tx, orgId, current)
  const complete = current.filter(({ isComplete }) => isComplete)
  if (complete.length > 0) await setIndexed(tx, orgId, complete, { now, publicUrl })
}

async function setIndexed(
  tx: Tx,
  orgId: OrgId,
  articles: readonly ClaimedArticle[],
  { now, publicUrl }: IndexedAt,
): Promise<void> {
  await updateIndexed(
    tx,
    orgId,
    articles.map(({ id }) => id),
    now,
  )
  const payloads: Article[] = []
  // A rebuild of the index is not visible from outside.
  for (const { id } of articles.filter(({ indexing_status }) => indexing_status !== 'indexed')) {
    const row = await selectArticle(tx, orgId, id)
    if (row !== undefined) payloads.push(toArticle(row, publicUrl))
  }
  await emitAll(
    tx,
    articleEvents,
    payloads.map((payload) => ({ orgId, type: 'article.indexed' as const, payload })),
    now,
  )
}

/** Makes claimed articles that are not indexed due again. They keep their place in the order. */
export async function releaseClaimed(tx: Tx, { orgId, lease, dueAt }: Claim, ids: readonly string[]): Promise<void> {
  const claimed = await lockClaimed(tx, orgId, ids, lease)
  const released = claimed.map(({ id }) => id)
  if (released.length > 0) await setDue(tx, orgId, released, dueAt, 'pending')
}

/** Schedules a retry, or sets the article to `failed` after the last attempt. */
export async function failIndexing(
  tx: Tx,
  { orgId, lease }: Claim,
  id: string,
  { nowMs, publicUrl }: { nowMs: number; publicUrl: string },
): Promise<'again' | 'given up' | 'changed'> {
  const [claimed] = await lockClaimed(tx, orgId, [id], lease)
  const row = claimed && (await selectArticle(tx, orgId, id))
  if (row === undefined) return 'changed'
  const indexing_attempts = row.indexing_attempts + 1
  if (indexing_attempts < ATTEMPTS_MAX) {
    const indexing_due_at = timestamp(nowMs + RETRY_MS * indexing_attempts)
    await setIndexing(tx, orgId, id, { indexing_status: 'pending', indexing_due_at, indexing_attempts })
    return 'again'
  }
  await setIndexing(tx, orgId, id, { indexing_status: 'failed', indexing_due_at: null, indexing_attempts })
  const payload = toArticle({ ...row, indexing_status: 'failed' }, publicUrl)
  await emitAll(tx, articleEvents, [{ orgId, type: 'article.indexing_failed', payload }], timestamp(nowMs))
  return 'given up'
}
