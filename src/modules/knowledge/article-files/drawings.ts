import { constants } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawSvg, ImageTooLarge, UnreadableImage } from '../../../platform/images/index.ts'

/** Drawings that people make are smaller. Larger ones contain photos. */
const SVG_BYTES_MAX = 2 * 1024 * 1024

interface Drawing {
  file: string
  problem: string | undefined
}

/** Draws SVG files as PNG, which is what visitors' browsers get: SVG can contain scripts. Keeps them until it is closed. */
export class Drawings {
  #folder: Promise<string> | undefined
  #count = 0

  async draw(file: string, sizeBytes: number): Promise<Drawing> {
    if (sizeBytes > SVG_BYTES_MAX) return { file, problem: 'is a drawing of more than 2 MiB' }
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const png = await drawSvg(await handle.readFile())
      this.#folder ??= mkdtemp(join(tmpdir(), 'waymark-drawings-'))
      const drawn = join(await this.#folder, `${++this.#count}.png`)
      await writeFile(drawn, png)
      return { file: drawn, problem: undefined }
    } catch (error) {
      if (error instanceof ImageTooLarge) return { file, problem: 'is a drawing that is too large or takes too long' }
      if (error instanceof UnreadableImage) return { file, problem: 'is a drawing that cannot be read' }
      throw error
    } finally {
      await handle.close()
    }
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true })
  }
}
