import { Child } from './children.ts'

/** A route of the bare server and the response that it sends. */
export interface BareRoute {
  method: 'GET' | 'POST'
  /** Fastify's syntax: `/things/:id`. */
  path: string
  status: number
  contentType: string
  /** An object is serialised for each request, as in any handler. A string is sent as it is. */
  body: unknown
  /**
   * The file of a SQLite database, or the URL of a PostgreSQL database. Each request commits a row to it, on disk, before
   * it gets its response.
   */
  insertsInto?: string
}

export interface BareServer extends AsyncDisposable {
  port: number
  cpuMicros(): Promise<number>
}

export async function startBareServer(routes: BareRoute[]): Promise<BareServer> {
  const child = await Child.start<object>(new URL('./bare-child.ts', import.meta.url))
  const { port } = await child.request<{ port: number }>(routes)
  return { port, cpuMicros: () => child.cpuMicros(), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
