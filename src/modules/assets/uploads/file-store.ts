import { createReadStream } from 'node:fs'
import { QueueFull } from '../../../platform/bounded/index.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import type { HeldFile, StagedFile } from '../../../platform/files/asset-store.ts'
import { ImageTooLarge, UnreadableImage } from '../../../platform/images/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { claimAssets, toFileName, type UploadSettings, withStoredFiles } from '../assets/index.ts'
import { findFileType } from './file-kinds.ts'
import type { AnsweredFile, FileProblem } from './file-problems.ts'
import type { FileRules, UploadTarget } from './upload-target.ts'

/** Turns files that visitors sent into private assets. Those that nothing refers to are deleted a day later. */
export class FileStore {
  readonly #assets: UploadSettings
  readonly #log: Logger

  constructor(assets: UploadSettings, log: Logger) {
    this.#assets = assets
    this.#log = log
  }

  /** Throws `QueueFull` if the organisation has too many images waiting, so that further ones need not be received. */
  requireRoomForImage({ orgId }: UploadTarget): void {
    if (this.#assets.images.isFull(orgId)) throw new QueueFull('too many images are waiting')
  }

  async store(
    { orgId }: UploadTarget,
    { accept, max_size_mb }: FileRules,
    { path }: HeldFile,
    sentName: string,
    nowMs: number,
  ): Promise<AnsweredFile | FileProblem> {
    const type = await findFileType(path)
    if (type === undefined || !accept.includes(type.kind)) return { problem: 'file_type' }
    try {
      const image = type.kind === 'image' ? await this.#assets.images.clean(orgId, path) : undefined
      const staged = await this.#assets.store.stage(image ? [image.bytes] : createReadStream(path))
      try {
        return await this.#store(orgId, staged, image ?? type, sentName, nowMs)
      } finally {
        await staged.discard()
      }
    } catch (error) {
      if (error instanceof UnreadableImage) return { problem: 'file_type' }
      if (error instanceof ImageTooLarge) return { problem: 'file_too_large', limit: max_size_mb }
      throw error
    }
  }

  #store(
    orgId: UploadTarget['orgId'],
    staged: StagedFile,
    { mediaType, extension }: { mediaType: string; extension: string },
    sentName: string,
    nowMs: number,
  ): Promise<AnsweredFile | FileProblem> {
    const now = timestamp(nowMs)
    const fileName = withExtension(toFileName(sentName, 'file'), extension)
    // Not an upload of a member: when what it belongs to is erased, its files are deleted at once.
    const options = { visibility: 'private', isUpload: false } as const
    const file = { staged, mediaType, extension, fileName }
    return withStoredFiles({ orgId, now, log: this.#log }, [file], options, this.#assets, async ([held]) => {
      if (held === undefined) {
        this.#log.warn({ org_id: orgId }, 'a file of a visitor does not fit into the storage of the organisation')
        return { problem: 'no_space' }
      }
      await this.#assets.write((tx) => claimAssets(tx, orgId, [held], now), orgId)
      return { id: held.id, file_name: fileName, media_type: held.media_type, size_bytes: held.size_bytes }
    })
  }
}

/** The name says what the file is, so that nobody opens it as something else. */
function withExtension(name: string, extension: string): string {
  if (name.toLowerCase().endsWith(`.${extension}`)) return name
  return `${name.replace(/\.[A-Za-z0-9]{1,5}$/, '')}.${extension}`
}
