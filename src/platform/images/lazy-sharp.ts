/** The file is damaged, or it is none of the formats that we read. */
export class UnreadableImage extends Error {}

/** It has more pixels than we decode, or it takes too long. */
export class ImageTooLarge extends Error {}

/** The formats that we read. All others are switched off in the library, so that no file can reach them. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`)

type SharpLibrary = typeof import('sharp').default

/** The library, loaded on first use: it takes 20 MB of memory, and most processes never need it. */
export class LazySharp {
  #sharp: Promise<SharpLibrary> | undefined

  load(): Promise<SharpLibrary> {
    this.#sharp ??= loadSharp()
    return this.#sharp
  }
}

async function loadSharp(): Promise<SharpLibrary> {
  const { default: sharp } = await import('sharp')
  // A visitor's image is read once.
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}

/** The library has no error codes. */
export async function readImage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    if (/pixel limit|timeout/i.test(message)) throw new ImageTooLarge(message)
    throw new UnreadableImage(message)
  }
}
