import type { Readable } from 'node:stream'
import type { BusboyInstance } from '@fastify/busboy'
import type { AssetStore, HeldFile } from '../../../platform/files/asset-store.ts'
import { gathered } from '../../../platform/http/bodies/incoming-chunks.ts'
import type { FieldFileProblem } from './file-problems.ts'
import {
  malformed,
  type SentFile,
  type SentForm,
  SentValues,
  tooLarge,
  VALUE_BYTES_MAX,
  VALUES_MAX,
} from './sent-form.ts'
import type { FileFields } from './upload-target.ts'

const MIB = 1024 * 1024
/** Empty ones count, too: a browser sends one for each field without a file. */
const FILE_PARTS_MAX = 200
const LIMITS = {
  fields: VALUES_MAX,
  fieldSize: VALUE_BYTES_MAX,
  files: FILE_PARTS_MAX,
  parts: VALUES_MAX + FILE_PARTS_MAX,
  headerPairs: 20,
  headerSize: 4096,
}

/**
 * Reads a form with files. They are written to the disk as they arrive, one after another, and the client waits meanwhile.
 * A file that is too large, or one too many for its field, is dropped as it arrives. So are files of fields that are not in
 * `media`.
 */
export async function readMultipart(
  chunks: AsyncIterable<Buffer>,
  contentType: string,
  media: FileFields,
  store: AssetStore,
): Promise<SentForm> {
  const { Busboy } = await import('@fastify/busboy')
  let parser: BusboyInstance
  try {
    parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    throw malformed()
  }
  return new MultipartReader(parser, media, store).read(chunks)
}

class MultipartReader {
  readonly #parser: BusboyInstance
  readonly #media: FileFields
  readonly #store: AssetStore
  readonly #sent = new SentValues()
  readonly #problems: FieldFileProblem[] = []
  readonly #streams: Readable[] = []
  readonly #files: Promise<SentFile | undefined>[] = []
  readonly #counts = new Map<string, number>()
  readonly #failure = Promise.withResolvers<never>()
  /** Set when the disk fails. */
  #storeFailure: unknown

  constructor(parser: BusboyInstance, media: FileFields, store: AssetStore) {
    this.#parser = parser
    this.#media = media
    this.#store = store
  }

  async read(chunks: AsyncIterable<Buffer>): Promise<SentForm> {
    const { promise: failed } = this.#failure
    failed.catch(() => {})
    this.#listen()
    try {
      await this.#feed(chunks, failed)
      const files = await Promise.race([Promise.all(this.#files), failed])
      const release = () => this.#release()
      const kept = files.filter((file) => file !== undefined)
      return {
        values: this.#sent.values,
        files: kept,
        problems: this.#problems,
        failure: this.#storeFailure,
        release,
      }
    } catch (error) {
      for (const stream of this.#streams) stream.destroy()
      await this.#release()
      throw error
    }
  }

  #listen(): void {
    const fail = this.#failure.reject
    const failTooLarge = () => fail(tooLarge())
    this.#parser
      .on('error', () => fail(malformed()))
      .on('fieldsLimit', failTooLarge)
      .on('filesLimit', failTooLarge)
      .on('partsLimit', failTooLarge)
      .on('field', (name: string | undefined, value) => {
        try {
          this.#sent.add(name ?? '', value)
        } catch (error) {
          fail(error)
        }
      })
      .on('file', (name: string | undefined, stream, fileName: string | undefined) => {
        this.#streams.push(stream)
        stream.on('error', () => fail(malformed()))
        if (!this.#keep(name ?? '', stream, fileName ?? '')) stream.resume()
      })
  }

  /** Returns false if nobody needs the file. */
  #keep(field: string, stream: Readable, fileName: string): boolean {
    const config = this.#media.get(field)
    if (config === undefined) return false
    const count = (this.#counts.get(field) ?? 0) + 1
    this.#counts.set(field, count)
    const { max_files: countMax, max_size_mb: mebibytesMax } = config
    if (count > countMax) {
      if (count === countMax + 1) this.#problems.push({ name: field, problem: 'too_many_files', limit: countMax })
      return false
    }
    this.#files.push(
      this.#hold(stream, mebibytesMax * MIB).then(
        (file) => {
          if (file === 'too_large') {
            this.#problems.push({ name: field, problem: 'file_too_large', limit: mebibytesMax })
            return undefined
          }
          return file && { field, fileName, file }
        },
        (error) => {
          // What was typed after the file must not be lost, so the rest of the file is read, too.
          this.#storeFailure ??= error
          stream.resume()
          return undefined
        },
      ),
    )
    return true
  }

  /** Returns undefined for an empty file: a browser sends one if nothing was chosen. */
  async #hold(stream: Readable, bytesMax: number): Promise<HeldFile | 'too_large' | undefined> {
    let bytes = 0
    const upToLimit = async function* (): AsyncGenerator<Buffer, void> {
      // The rest is read, too, because the next part begins after it.
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length
        if (bytes <= bytesMax) yield chunk
      }
    }
    const file = await this.#store.hold(gathered(upToLimit()))
    if (bytes > 0 && bytes <= bytesMax) return file
    await file.discard()
    return bytes === 0 ? undefined : 'too_large'
  }

  async #feed(chunks: AsyncIterable<Buffer>, failed: Promise<never>): Promise<void> {
    for await (const chunk of chunks) {
      const written = new Promise<void>((resolve) => this.#parser.write(chunk, () => resolve()))
      await Promise.race([written, failed])
    }
    const finished = new Promise<void>((resolve) => this.#parser.on('finish', resolve))
    this.#parser.end()
    await Promise.race([finished, failed])
  }

  async #release(): Promise<void> {
    for (const result of await Promise.allSettled(this.#files)) {
      if (result.status === 'fulfilled') await result.value?.file.discard()
    }
  }
}
