import { unprocessable } from '../../../platform/errors/index.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import type { Context } from '../../../platform/http/index.ts'
import { ImageTooLarge, type LogoImages, UnreadableImage } from '../../../platform/images/index.ts'
import { openAsset } from '../../assets/assets/index.ts'
import type { DrawnLogo } from './drawing/index.ts'

/** Wide enough for print: the logo is a quarter of the code. */
const SIDE_PIXELS = 320
const BYTES_MAX = 2 * 1024 * 1024

export interface Logo extends DrawnLogo {
  /** Puts the logo on a PNG. */
  putOn(png: Buffer, place: { left: number; top: number; side: number }, dpi: number | undefined): Promise<Buffer>
}

export interface Logos {
  /** Reads an image of the caller's organisation. */
  read(ctx: Context, id: string): Promise<Logo>
}

/** The uploaded images that callers put into the middle of their codes. */
export class UploadedLogos implements Logos {
  readonly #store: AssetStore
  readonly #images: LogoImages

  constructor(store: AssetStore, images: LogoImages) {
    this.#store = store
    this.#images = images
  }

  async read({ read, orgId }: Context, id: string): Promise<Logo> {
    const asset = await openAsset(read, orgId, id, { store: this.#store })
    if (asset === undefined) throw unprocessable('logo', id, 'No uploaded file has this ID')
    const { file, mediaType } = asset
    if (!mediaType.startsWith('image/') || file.sizeBytes > BYTES_MAX) {
      await file.close()
      throw unprocessable('logo', id, 'Must be an image of at most 2 MiB')
    }
    const logo = await this.#fit(orgId, id, Buffer.concat(await (await file.read()).toArray()))
    return { ...logo, putOn: (png, place, dpi) => this.#images.putOn(orgId, png, logo.png, place, dpi) }
  }

  async #fit(key: string, id: string, source: Buffer): Promise<DrawnLogo> {
    try {
      return await this.#images.fit(key, source, SIDE_PIXELS)
    } catch (error) {
      if (error instanceof UnreadableImage || error instanceof ImageTooLarge)
        throw unprocessable('logo', id, 'Must be a PNG, JPEG, WebP, GIF or AVIF image')
      throw error
    }
  }
}
