import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child, type Usage } from '../support/children.ts'

export interface RedirectSettings {
  /** The headers that the service sends in response to a scan. */
  headers: string[]
  /** When set, each batch of requests is appended to this file and synced before the responses are sent. */
  file?: string
}

export interface RedirectServer extends AsyncDisposable {
  port: number
  usage(): Promise<Usage>
}

export async function startRedirects(headers: string[]): Promise<RedirectServer> {
  return start({ headers })
}

/** The file is on the same file system as the data of the services. */
export async function startDurableRedirects(headers: string[]): Promise<RedirectServer> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  const server = await start({ headers, file: join(folder, 'requests') })
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function start(settings: RedirectSettings): Promise<RedirectServer> {
  const child = await Child.start<object>(new URL('./redirect-child.ts', import.meta.url))
  const { port } = await child.request<{ port: number }>(settings)
  return { port, usage: () => child.usage(), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
