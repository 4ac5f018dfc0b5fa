import { ApiError } from '../../../platform/errors/index.ts'
import type { HeldFile } from '../../../platform/files/asset-store.ts'
import type { FieldFileProblem } from './file-problems.ts'

export interface SentFile {
  field: string
  /** The name as the browser sent it. */
  fileName: string
  file: HeldFile
}

/** A form as it arrived. */
export interface SentForm {
  values: ReadonlyMap<string, readonly string[]>
  /** The files of all fields that take files, in the order in which they were sent. */
  files: readonly SentFile[]
  /** Why files were not kept. */
  problems: readonly FieldFileProblem[]
  /** Why files could not be written to the disk. The form cannot be accepted, but its values can be shown again. */
  failure?: unknown
  /** Must be called at the end. Removes the files that were not stored. */
  release(): Promise<void>
}

/** Empty if the form has no such field. */
export const firstValue = ({ values }: Pick<SentForm, 'values'>, name: string): string => values.get(name)?.[0] ?? ''

/** Limits all values and their names together. */
export const VALUE_BYTES_MAX = 256 * 1024
/** More than a page with a hundred fields sends, most of which are boxes that are checked. */
export const VALUES_MAX = 2000

/** Collects values within limits, as they will be stored. */
export class SentValues {
  readonly values = new Map<string, string[]>()
  #bytes = 0
  #count = 0

  /** Throws `tooLarge` beyond the limits. */
  add(name: string, value: string): void {
    this.#bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
    if (this.#bytes > VALUE_BYTES_MAX || ++this.#count > VALUES_MAX) throw tooLarge()
    const known = this.values.get(name)
    const text = readable(value)
    if (known === undefined) this.values.set(name, [text])
    else known.push(text)
  }
}

/** An error because of which nothing of a request can be used. */
export const unreadableForm = (status: 400 | 413 | 415, message: string): ApiError =>
  new ApiError('invalid_payload', message, { status })

export const tooLarge = (): ApiError => unreadableForm(413, 'The form is too large.')

export const malformed = (): ApiError => unreadableForm(400, 'The form is malformed.')

/** Browsers send line breaks as CR LF, but count them as one character. No database stores NUL, and nobody types it. */
const readable = (value: string): string => value.replaceAll('\r\n', '\n').replaceAll('\0', '')
