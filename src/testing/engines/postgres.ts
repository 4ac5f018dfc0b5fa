import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('./postgres-child.ts', import.meta.url))

/** What the process that looks after the server can be told: how to end it, or to bring it back. */
export type PostgresOrder = 'SIGQUIT' | 'SIGKILL' | 'start'

export interface TestPostgres extends AsyncDisposable {
  /** The address of a database on this server; `postgres` is there from the start. */
  url(database: string): string
  /** Ends the server in the middle of whatever it does: `SIGQUIT` as an operator in a hurry, `SIGKILL` as a crash. */
  halt(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** After a halt: on the same data and port. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** A real PostgreSQL on a free loopback port, gone with everything in it when it stops. */
export async function startPostgres(): Promise<TestPostgres> {
  const port = await freePort()
  const child = fork(CHILD, [String(port)])
  const ended = once(child, 'exit')
  const ready = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (ready === undefined) throw new Error('PostgreSQL did not start')
  const tell = async (order: PostgresOrder) => {
    const done = Promise.race([once(child, 'message'), ended.then(() => undefined)])
    child.send(order)
    if ((await done) === undefined) throw new Error(`PostgreSQL did not obey ${order}`)
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  return {
    url: (database) => `postgres://waymark:waymark@127.0.0.1:${port}/${database}`,
    halt: tell,
    startAgain: () => tell('start'),
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
