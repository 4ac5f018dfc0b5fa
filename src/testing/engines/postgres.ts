import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('./postgres-child.ts', import.meta.url))

/** A command to the child process: the signal that ends the server, or `start`. */
export type PostgresOrder = 'SIGQUIT' | 'SIGKILL' | 'start'

export interface TestPostgres extends AsyncDisposable {
  /** Returns the URL of a database on this server. The database `postgres` always exists. */
  url(database: string): string
  /** Ends the server abruptly: `SIGQUIT` for an immediate shutdown, `SIGKILL` for a crash. */
  halt(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts the server again after `halt`, on the same data and port. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts a real PostgreSQL on a free loopback port, with these settings. Its data is deleted when it stops. */
export async function startPostgres(...settings: string[]): Promise<TestPostgres> {
  const port = await freePort()
  const child = fork(CHILD, [String(port), ...settings])
  const ended = once(child, 'exit')
  const ready = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (ready === undefined) throw new Error('PostgreSQL did not start')
  const send = async (order: PostgresOrder) => {
    const done = Promise.race([once(child, 'message'), ended.then(() => undefined)])
    child.send(order)
    if ((await done) === undefined) throw new Error(`PostgreSQL did not handle ${order}`)
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  return {
    url: (database) => `postgres://waymark:waymark@127.0.0.1:${port}/${database}`,
    halt: send,
    startAgain: () => send('start'),
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
