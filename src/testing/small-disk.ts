import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled, and have room again. */
export interface SmallDisk {
  folder: string
  /** `pid` is the process whose disk it is. */
  fill(pid: number): void
  free(pid: number): void
  remove(): void
}

const SIZE = '48m'
const CHUNK = Buffer.alloc(64 * 1024)

/**
 * For the administrator of a Linux machine, a small file system of its own. For others, a folder; it is full when no file of
 * the process may get larger.
 */
export function createSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-disk-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (!tryToMount(folder)) {
    const limit = (pid: number, bytes: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
    return { folder, fill: (pid) => limit(pid, '1'), free: (pid) => limit(pid, 'unlimited'), remove }
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    remove: () => {
      execFileSync('umount', [folder])
      remove()
    },
  }
}

function tryToMount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'none', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, CHUNK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
