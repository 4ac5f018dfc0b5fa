import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** The smallest files that are recognised as images of their type. */
export const IMAGES = {
  jpg: latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9'),
  png: latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0'),
  webp: latin1('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0'),
  gif: latin1('GIF89a\x01\0\x01\0\x80\0\0\0\0\0;'),
}

export interface ImageHost {
  /** `host:port`, as in the setting that allows it in development. */
  address: string
  url(path: string): string
  /** The number of requests so far. */
  hits(): number
  /** The number of requests that wait at `/held.png` or `/held-large.png`. */
  held(): number
  /** The largest number of requests that waited there at once. */
  heldMax(): number
  /** Responds to all held requests. */
  release(): void
  close(): Promise<void>
}

/**
 * A customer's web server on loopback, with valid and invalid images. `/moved.png` redirects to `redirectUrl`. Every image of
 * `/new.png` and of those that are held is different. `images` are further ones, by their paths.
 */
export async function startImageHost(
  redirectUrl: string,
  images: Readonly<Record<string, Buffer>> = {},
): Promise<ImageHost> {
  let hits = 0
  let waiting: (() => void)[] = []
  let heldMax = 0
  const hold = (respond: () => void) => {
    waiting.push(respond)
    heldMax = Math.max(heldMax, waiting.length)
  }
  /** An image that was never sent before, of the same size as all others. */
  const newImage = () => {
    const image = Buffer.from(IMAGES.png)
    image.writeUInt32BE(hits, image.length - 4)
    return image
  }
  const listeners: Record<string, RequestListener> = {
    '/new.png': (_request, response) => {
      response.end(newImage())
    },
    '/held.png': (_request, response) => {
      const image = newImage()
      hold(() => response.end(image))
    },
    '/held-large.png': (_request, response) => {
      response.write(Buffer.concat([newImage()], 1024 * 1024))
      hold(() => response.end())
    },
    '/lying.txt': (_request, response) => {
      response.setHeader('content-type', 'text/html').end(IMAGES.png)
    },
    '/page.png': (_request, response) => {
      response.setHeader('content-type', 'image/png').end('<!doctype html><script>alert(1)</script>')
    },
    '/drawing.png': (_request, response) => {
      response.setHeader('content-type', 'image/png').end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    },
    '/empty.png': (_request, response) => {
      response.end()
    },
    '/moved.png': (_request, response) => {
      response.writeHead(302, { location: redirectUrl }).end(IMAGES.png)
    },
    '/missing.png': (_request, response) => {
      response.writeHead(404).end(IMAGES.png)
    },
    '/largest.png': (_request, response) => {
      response.end(ofBytes(15 * 1024 * 1024))
    },
    '/too-large.png': (_request, response) => {
      // Two parts, so that there is no Content-Length.
      response.write(ofBytes(15 * 1024 * 1024))
      response.end('x')
    },
    // Starts correctly and never ends.
    '/slow.png': (_request, response) => {
      response.write(IMAGES.png)
    },
    '/broken.png': (_request, response) => {
      response.destroy()
    },
  }
  const server = createServer((request, response) => {
    hits++
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const extension = path.split('.').at(-1) as keyof typeof IMAGES
    const listener = listeners[path] ?? (() => response.end(images[path] ?? IMAGES[extension]))
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    url: (path) => `http://${address}${path}`,
    hits: () => hits,
    held: () => waiting.length,
    heldMax: () => heldMax,
    release: () => {
      for (const respond of waiting) respond()
      waiting = []
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const ofBytes = (length: number): Buffer => Buffer.concat([IMAGES.png], length)
