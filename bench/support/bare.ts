import { Child, type Usage } from './children.ts'

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
  /** On SQLite, the rows of all requests that have arrived are one commit. PostgreSQL does that itself. */
  commitsTogether?: boolean
}

export interface BareServer extends AsyncDisposable {
  port: number
  usage(): Promise<Usage>
}

export async function startBareServer(routes: BareRoute[]): Promise<BareServer> {
  const child = await Child.start<object>(new URL('./bare-child.ts', import.meta.url))
  const { port } = await child.request<{ port: number }>(routes)
  return { port, usage: () => child.usage(), [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
