import { constants } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawSvg, ImageCleaner, ImageTooLarge, UnreadableImage } from '../../../platform/images/index.ts'
import { drawCleanFile, ImageRefused } from '../../assets/assets/index.ts'

/** Drawings that people make are smaller. Larger ones contain photos. */
const SVG_BYTES_MAX = 2 * 1024 * 1024

interface Drawing {
  file: string
  problem: string | undefined
}

const PROBLEMS = {
  too_many_pixels: 'has too many pixels or frames',
  damaged: 'is damaged',
} satisfies Record<ImageRefused['problem'], string>

/** Draws images that visitors' browsers do not get as they are. Keeps the drawings until it is closed. */
export class Drawings {
  readonly #images = new ImageCleaner()
  #folder: Promise<string> | undefined
  #count = 0

  /** Draws an SVG file as PNG: SVG can contain scripts. */
  async draw(file: string, sizeBytes: number): Promise<Drawing> {
    if (sizeBytes > SVG_BYTES_MAX) return { file, problem: 'is a drawing of more than 2 MiB' }
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      return { file: await this.#keep(await drawSvg(await handle.readFile())), problem: undefined }
    } catch (error) {
      if (error instanceof ImageTooLarge) return { file, problem: 'is a drawing that is too large or takes too long' }
      if (error instanceof UnreadableImage) return { file, problem: 'is a drawing that cannot be read' }
      throw error
    } finally {
      await handle.close()
    }
  }

  /** Draws a photo anew if it has metadata, such as the place where it was taken. Other files stay as they are. */
  async clean(file: string): Promise<Drawing> {
    try {
      const clean = await drawCleanFile(file, this.#images)
      return { file: clean === undefined ? file : await this.#keep(clean.bytes), problem: undefined }
    } catch (error) {
      if (error instanceof ImageRefused) return { file, problem: PROBLEMS[error.problem] }
      throw error
    }
  }

  /** The file has no ending, because its content says what it is. */
  async #keep(bytes: Buffer): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'waymark-drawings-'))
    const file = join(await this.#folder, `${++this.#count}`)
    await writeFile(file, bytes)
    return file
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true })
  }
}
