import type { IncomingMessage } from 'node:http'
import { FairQueue } from '../../../platform/bounded/index.ts'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import type { AssetStore, HeldFile } from '../../../platform/files/asset-store.ts'
import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import { gathered, incomingChunks, type UploadTimes } from '../../../platform/http/bodies/incoming-chunks.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { readMultipart } from './read-multipart.ts'
import { type SentForm, SentValues, tooLarge, unreadableForm, VALUE_BYTES_MAX, VALUES_MAX } from './sent-form.ts'
import type { FileFields, UploadTarget } from './upload-target.ts'

const MIB = 1024 * 1024
/** Limits a form with its files. More does not arrive in time from a phone. */
const FORM_BYTES_MAX = 100 * MIB

/** A visitor sends one form, or one file after another. Several people may share an address. */
const VISITOR_LIMITS = { runningMax: 1000, runningPerKeyMax: 4, waitingPerKeyMax: 8, waitMsMax: 5 * SECOND_MS }
/** Slow senders can occupy the places of one organisation, but not all. Each takes little memory. */
const ORGANISATION_LIMITS = { runningMax: 64, runningPerKeyMax: 16, waitingPerKeyMax: 32, waitMsMax: 5 * SECOND_MS }

/** The request of a visitor. */
export interface UploadRequest {
  raw: IncomingMessage
  address: string
  /** Aborted when the visitor has left. */
  signal: AbortSignal
}

/** Reads what visitors send, within limits. Files are never in memory as a whole. */
export class FormReader {
  readonly #bodies: BodyReader
  readonly #store: AssetStore
  readonly #limits: UploadTimes
  readonly #metrics: Metrics
  readonly #visitors = new FairQueue(VISITOR_LIMITS)
  readonly #organisations = new FairQueue(ORGANISATION_LIMITS)

  constructor(bodies: BodyReader, store: AssetStore, limits: UploadTimes, metrics: Metrics) {
    this.#bodies = bodies
    this.#store = store
    this.#limits = limits
    this.#metrics = metrics
    metrics.watchQueue('visitor_uploads', this.#organisations)
    const countRefused = () => metrics.refused.inc({ limit: 'visitor_uploads' })
    this.#visitors.onRefused = countRefused
    this.#organisations.onRefused = countRefused
  }

  /**
   * Throws an `ApiError` if it cannot be read, and `QueueFull` beyond the limits. Files that are not to be kept are dropped as they arrive.
   * The target is undefined if it could not be loaded.
   */
  read(
    sender: UploadRequest,
    target: (UploadTarget & { fields: FileFields }) | undefined,
    { keepsFiles }: { keepsFiles: boolean },
  ): Promise<SentForm> {
    const { 'content-type': type = '', 'content-length': length } = sender.raw.headers
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) return this.#readUrlencoded(sender)
    if (!/^multipart\/form-data\b/i.test(type)) throw unreadableForm(415, 'This is no form.')
    const media = target?.fields
    const bytesMax =
      media === undefined ? FORM_BYTES_MAX : Math.min(FORM_BYTES_MAX, VALUE_BYTES_MAX + MIB + sumOf(media))
    if (Number(length) > bytesMax) throw tooLarge()
    const kept = keepsFiles && media !== undefined ? media : NO_MEDIA
    return this.#inTurn(sender, target?.orgId ?? '', () =>
      readMultipart(this.#receive(sender, bytesMax), type, kept, this.#store),
    )
  }

  /** Reads a body that is a file. */
  readFile(
    sender: UploadRequest,
    { orgId }: UploadTarget,
    bytesMax: number,
  ): Promise<{ file: HeldFile; release(): Promise<void> }> {
    return this.#inTurn(sender, orgId, async () => {
      const file = await this.#store.hold(gathered(this.#receive(sender, bytesMax)))
      return { file, release: () => file.discard() }
    })
  }

  #receive({ raw }: UploadRequest, bytesMax: number): AsyncGenerator<Buffer, void> {
    return incomingChunks(raw, bytesMax, this.#limits, this.#metrics)
  }

  async #readUrlencoded({ raw, address, signal }: UploadRequest): Promise<SentForm> {
    if (Number(raw.headers['content-length']) > VALUE_BYTES_MAX) throw tooLarge()
    const body = await this.#bodies.read(raw, addressBlock(address), () => signal)
    try {
      return { values: parse(body.content), files: [], problems: [], release: async () => {} }
    } finally {
      body.release()
    }
  }

  /** The turn lasts until the result is released. */
  #inTurn<T extends { release(): Promise<void> }>(
    { address, signal }: UploadRequest,
    orgId: string,
    read: () => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const keepTurn = async () => {
        const held = await read()
        await new Promise<void>((end) => resolve({ ...held, release: () => held.release().finally(end) }))
      }
      const waitForOrganisation = () => this.#organisations.run(orgId, keepTurn, signal)
      this.#visitors.run(addressBlock(address), waitForOrganisation, signal).catch(reject)
    })
  }
}

const NO_MEDIA: FileFields = new Map()

const sumOf = (media: FileFields): number =>
  [...media.values()].reduce((sum, { max_files, max_size_mb }) => sum + max_files * max_size_mb * MIB, 0)

function parse(content: Buffer): SentValues['values'] {
  if (content.length > VALUE_BYTES_MAX) throw tooLarge()
  const sent = new SentValues()
  const text = content.toString()
  // Check before splitting: a body of separators alone would become a quarter of a million strings.
  if (text.split('&', VALUES_MAX + 2).length > VALUES_MAX) throw tooLarge()
  for (const [name, value] of new URLSearchParams(text)) sent.add(name, value)
  return sent.values
}
