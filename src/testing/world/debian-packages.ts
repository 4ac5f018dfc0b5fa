import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LOCKED = 5
const LOCK_POLL_MS = 200

/** Only root can use Debian's packages, and only on Debian. */
export const hasPackages = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export const updatePackages = () => aptGet(['update'])

export const installPackage = (name: string) => aptGet(['install', '-y', '--no-install-recommends', name])

/** Unpacks a package into a folder without installing it: no service of it starts. Leaves no half of it behind. */
export async function unpackPackage(name: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const work = await mkdtemp(`${folder}-`)
  try {
    await aptGet(['download', name], work)
    const [file = ''] = await readdir(work)
    await run('dpkg-deb', ['-x', join(work, file), join(work, 'files')])
    await rename(join(work, 'files'), folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Test files run in parallel, and only one may install. The operating system releases this lock when the process ends,
 * even after a crash.
 */
export async function withPackageLock<T>(work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(tmpdir(), 'waymark-packages.lock'))
  try {
    while (!tryLock(lock)) await sleep(LOCK_POLL_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === LOCKED) return false
    throw error
  }
}

const aptGet = (args: string[], cwd = tmpdir()) =>
  run('apt-get', args, { cwd, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
