import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type AssetSettings, findFileProblem, findStoredPaths, storeLocalFile } from '../../assets/assets/index.ts'
import { Drawings } from './drawings.ts'

/** A file of the folder that texts show or link to. */
export interface Picture {
  path: string
  /** Why it cannot be imported. */
  problem: string | undefined
  sha256: string
  /** The address in the service. Undefined until the image is stored. */
  url: string | undefined
  /** The file that is stored: of an SVG, its drawing, and of a photo, one without metadata. */
  file: string
}

/** These are articles and settings, which are not read as files. */
const TEXT_FILE = /\.(?:mdx?|markdown|ya?ml)$/i

const SVG_FILE = /\.svg$/i

/** The files that texts refer to: images, and others that can be assets. Each is stored once for the same content. */
export class Pictures {
  readonly #dir: string
  readonly #settings: AssetSettings
  /** The keys are paths. Undefined if there is no such file. */
  readonly #found = new Map<string, Picture | undefined>()
  readonly #stored = new Set<Picture>()
  readonly #drawings = new Drawings()
  #created = 0

  constructor(dir: string, settings: AssetSettings) {
    this.#dir = dir
    this.#settings = settings
  }

  get counts(): { created: number; unchanged: number } {
    const usable = [...this.#found.values()].filter((picture) => picture !== undefined && picture.problem === undefined)
    return { created: this.#created, unchanged: usable.length - this.#created }
  }

  /** Finds the first of these paths that is a file. */
  async find(db: Db, orgId: OrgId, paths: readonly string[]): Promise<Picture | undefined> {
    for (const path of paths) {
      if (!this.#found.has(path)) this.#found.set(path, await this.#read(db, orgId, path))
      const found = this.#found.get(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns the URL of a file that is stored now, if it was not before. */
  async store(ctx: Context, picture: Picture): Promise<string> {
    if (picture.url !== undefined && this.#stored.has(picture)) return picture.url
    const stored = await storeLocalFile(ctx, picture.file, fileNameOf(picture), this.#settings)
    if (stored === undefined) {
      throw new OperatorError(
        `${picture.path} does not fit into the storage of the organisation. All files before it were imported.`,
      )
    }
    if (stored.isNew) this.#created++
    this.#stored.add(picture)
    picture.url = stored.path
    return stored.path
  }

  /** Removes the drawings. */
  close(): Promise<void> {
    return this.#drawings.close()
  }

  async #read(db: Db, orgId: OrgId, path: string): Promise<Picture | undefined> {
    const file = join(this.#dir, path)
    const stat = TEXT_FILE.test(path) ? undefined : await lstat(file).catch(() => undefined)
    // Links are not followed: they could lead out of the folder.
    if (stat?.isFile() !== true) return undefined
    const { file: drawn, problem } = await this.#draw(path, file, stat.size)
    if (problem !== undefined) return { path, problem, sha256: '', url: undefined, file }
    const sha256 = await hashFile(drawn)
    const url = (await findStoredPaths(db, orgId, [sha256])).get(sha256)
    return { path, problem, sha256, url, file: drawn }
  }

  async #draw(path: string, file: string, sizeBytes: number): Promise<{ file: string; problem: string | undefined }> {
    if (SVG_FILE.test(path)) return this.#drawings.draw(file, sizeBytes)
    const problem = await findFileProblem(file, sizeBytes)
    return problem === undefined ? this.#drawings.clean(file) : { file, problem }
  }
}

const fileNameOf = ({ path }: Picture): string => basename(path).replace(SVG_FILE, '.png')

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
