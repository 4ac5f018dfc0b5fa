import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue, SharedCache } from '../../../../platform/bounded/index.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../../platform/clock/index.ts'
import type { Database } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { Breaker, type LlmClient, LlmError } from '../../../../platform/llm/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import { VECTORS_MAX } from './embed-passages.ts'
import { DIMENSIONS_MAX, quantise } from './quantise.ts'
import { selectVectors } from './queries.ts'

interface SimilarServices {
  database: Database
  client: LlmClient
  /** The name of the model for embeddings. */
  model: string
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** The vectors of an organisation, one after the other. */
interface OrgVectors {
  passageIds: number[]
  dimensions: number
  values: Int8Array
  lengths: Float32Array
}

/** More than mixing needs, because a bot may use only some of the articles. */
const FOUND_MAX = 200
const QUESTION_LENGTH_MAX = 1000
/** A visitor waits for it. */
const TIMEOUT_MS = 2 * SECOND_MS
const LIMITS = { runningMax: 32, runningPerKeyMax: 8, waitingPerKeyMax: 16, waitMsMax: SECOND_MS }
const CACHE = { bytesMax: 128 * 1024 * 1024, bytesPerKeyMax: VECTORS_MAX * (DIMENSIONS_MAX + 50) }
/** How long new vectors may be unknown. */
const FRESH_MS = MINUTE_MS
/** Comparing this many numbers takes about half a millisecond. Then others have a turn. */
const NUMBERS_PER_TURN = 500_000

/** Finds passages by their meaning. All vectors of the organisation are compared, which `VECTORS_MAX` limits. */
export class SimilarPassages {
  readonly #services: SimilarServices
  readonly #queue = new FairQueue(LIMITS)
  readonly #breaker: Breaker
  readonly #cache = new SharedCache<OrgVectors>(
    CACHE,
    ({ values, passageIds }) => values.byteLength + 12 * passageIds.length,
  )
  /** An outage is logged once, not for every question. */
  #hasFailed = false

  constructor(services: SimilarServices) {
    this.#services = services
    this.#breaker = new Breaker(services.clock)
    services.metrics.watchQueue('question_vectors', this.#queue)
    services.metrics.watchBudget('vectors', this.#cache)
  }

  /** Returns the IDs of passages, the nearest first. Empty if the organisation has no vectors, or on any failure. */
  readonly find = async (orgId: OrgId, text: string): Promise<number[]> => {
    try {
      const vectors = await this.#load(orgId)
      if (vectors.passageIds.length === 0) return []
      const question = await this.#queue.run(orgId, () =>
        this.#embed(text.slice(0, QUESTION_LENGTH_MAX).toWellFormed()),
      )
      if (question === undefined || question.length !== vectors.dimensions) return []
      this.#hasFailed = false
      return await nearest(vectors, quantise(question))
    } catch (error) {
      const { log, model } = this.#services
      const details = error instanceof LlmError ? { reason: error.kind, status: error.status } : { err: error }
      if (!this.#hasFailed) log.warn({ model, ...details }, 'passages are found by their words only')
      this.#hasFailed = true
      return []
    }
  }

  async #embed(text: string): Promise<number[] | undefined> {
    if (!this.#breaker.tryBegin()) return undefined
    try {
      const [vector] = await this.#services.client.embed([text], NEVER, TIMEOUT_MS)
      this.#breaker.succeed()
      return vector
    } catch (error) {
      if (error instanceof LlmError && error.kind !== 'bad_request') this.#breaker.fail()
      else this.#breaker.succeed()
      throw error
    }
  }

  #load(orgId: OrgId): Promise<OrgVectors> {
    const { database, model, clock } = this.#services
    const key = `${orgId} ${Math.floor(clock() / FRESH_MS)}`
    return this.#cache.fetch(orgId, key, async () =>
      toVectors(await selectVectors(database.readLong, orgId, model, VECTORS_MAX)),
    )
  }
}

/** A question is short, so its request ends soon anyway. */
const NEVER = new AbortController().signal

function toVectors(rows: Awaited<ReturnType<typeof selectVectors>>): OrgVectors {
  const bytes = rows.map(({ vector }) => Buffer.from(vector, 'base64'))
  const dimensions = bytes[0]?.length ?? 0
  const same = rows.flatMap(({ passage_id }, index) => {
    const vector = bytes[index]
    return vector?.length === dimensions && passage_id !== null ? [{ id: passage_id, vector }] : []
  })
  const values = new Int8Array(same.length * dimensions)
  const lengths = new Float32Array(same.length)
  for (const [index, { vector }] of same.entries()) {
    values.set(new Int8Array(vector.buffer, vector.byteOffset, dimensions), index * dimensions)
    lengths[index] = Math.sqrt(vector.reduce((sum, byte) => sum + ((byte << 24) >> 24) ** 2, 0))
  }
  return { passageIds: same.map(({ id }) => id), dimensions, values, lengths }
}

async function nearest(
  { passageIds, dimensions, values, lengths }: OrgVectors,
  question: Int8Array,
): Promise<number[]> {
  const scores = new Float32Array(passageIds.length)
  const perTurn = Math.max(1, Math.floor(NUMBERS_PER_TURN / dimensions))
  for (let index = 0; index < passageIds.length; index++) {
    if (index % perTurn === perTurn - 1) await nextTurn()
    const from = index * dimensions
    let sum = 0
    for (let at = 0; at < dimensions; at++) sum += (values[from + at] ?? 0) * (question[at] ?? 0)
    scores[index] = sum / (lengths[index] || 1)
  }
  return Array.from(passageIds, (id, index) => ({ id, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, FOUND_MAX)
    .map(({ id }) => id)
}
