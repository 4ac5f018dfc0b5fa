/**
 * Installs the packages of the lock file, unless they are installed already. It runs before the other npm scripts and
 * on any Node version; the scripts after it run on the pinned Node that it installs. `--dev` also installs the
 * development tools (test engines, browser, linters).
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const stampFile = new URL('node_modules/.waymark-setup.json', root)

const lock = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', root)))
  .digest('hex')
const dev = process.argv.includes('--dev')

function isInstalled() {
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'))
    return stamp.lock === lock && (stamp.dev || !dev)
  } catch {
    return false
  }
}

if (!isInstalled()) {
  // Standard output is the log of a service that runs without a terminal.
  console.error(dev ? 'Installing Waymark and its development tools…' : 'Installing Waymark…')
  // --force: otherwise npm skips optional packages that require a newer Node than the one it runs on, although they
  // only run on the pinned one.
  const options = ['ci', '--force', '--no-audit', '--no-fund', '--loglevel=error', ...(dev ? [] : ['--omit=dev'])]
  const { status } = spawnSync('npm', options, {
    cwd: root,
    stdio: ['inherit', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('The installation failed. Check the network connection, then run the same command again.')
    process.exit(1)
  }
  writeFileSync(stampFile, JSON.stringify({ lock, dev }))
}
