import { createJobCatalogue } from '../../main/job-catalogue.ts'
import { startJobs } from '../../modules/account/job-runner/index.ts'
import { createCatalogue, type JobKind } from '../../modules/account/jobs/index.ts'
import { codeDomains } from '../../modules/domains/custom-domain-routes/index.ts'
import { isCentrePart } from '../../modules/knowledge/public-articles/index.ts'
import { LoopTurns } from '../../platform/bounded/index.ts'
import { createLogger } from '../../platform/telemetry/logging.ts'
import { createMetrics } from '../../platform/telemetry/metrics.ts'
import type { Client } from '../client.ts'
import { eventually } from '../eventually.ts'
import { type Harness, testConfig } from '../harness.ts'

/** Starts a worker for these kinds. For harnesses without a worker of their own. Returns the function that stops it. */
export function startJobWorker(harness: Harness, kinds: readonly JobKind[]): () => Promise<void> {
  const metrics = createMetrics()
  return startJobs({
    database: harness.service.database,
    catalogue: createCatalogue([kinds]),
    turns: new LoopTurns(metrics),
    clock: harness.nowMs,
    log: createLogger('silent'),
    metrics,
  })
}

/** A worker that stops before a piece until the test lets it go on. */
export class SteppedWorker implements AsyncDisposable {
  readonly #stop: () => Promise<void>
  #piecesLeft = 0
  #goOn: (() => void) | undefined

  constructor(harness: Harness) {
    const { publicUrl } = testConfig(harness)
    const settings = { publicUrl, publicUrlOf: async () => publicUrl, domains: codeDomains(isCentrePart) }
    const kinds = [...createJobCatalogue(settings).values()]
    this.#stop = startJobWorker(
      harness,
      kinds.map((kind) => this.#stepped(kind)),
    )
  }

  /** Lets it carry out so many pieces more. */
  allow(pieces: number): void {
    this.#piecesLeft += pieces
    this.#goOn?.()
  }

  /** Lets it carry out all that there is. */
  goOn(): void {
    this.allow(Number.POSITIVE_INFINITY)
  }

  /** Lets it begin no more pieces. */
  hold(): void {
    this.#piecesLeft = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.goOn()
    await this.#stop()
  }

  #stepped(kind: JobKind): JobKind {
    return {
      ...kind,
      nextPiece: async (...args) => {
        while (this.#piecesLeft <= 0) await new Promise<void>((resolve) => (this.#goOn = resolve))
        this.#piecesLeft--
        return kind.nextPiece(...args)
      },
    }
  }
}

/** Waits until a job is finished, and returns it. */
export const finished = (client: Client, id: string): Promise<any> =>
  eventually(async () => {
    const { body } = await client.get(`/v1/jobs/${id}`)
    return body.finished_at !== null && body
  })

/** All items of a job, the last one first. */
export async function itemsOf(client: Client, id: string, query = ''): Promise<any[]> {
  const items: any[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/v1/jobs/${id}/items?limit=100${query}${cursor}`)
    items.push(...body.data)
    if (!body.has_more) return items
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}
