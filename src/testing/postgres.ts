import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('postgres-child.ts', import.meta.url))

export interface TestPostgres extends AsyncDisposable {
  /** The address of a database on this server; `postgres` is there from the start. */
  url(database: string): string
  stop(): Promise<void>
}

/** A real PostgreSQL on a free loopback port, gone with everything in it when it stops. */
export async function startPostgres(): Promise<TestPostgres> {
  const port = await freePort()
  const child = fork(CHILD, [String(port)])
  const ended = once(child, 'exit')
  const ready = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (ready === undefined) throw new Error('PostgreSQL did not start')
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  return {
    url: (database) => `postgres://waymark:waymark@127.0.0.1:${port}/${database}`,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
