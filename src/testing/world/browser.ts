import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** It runs as root in containers, without a screen, and has nothing to tell or to ask anybody. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const LOCKED = 5
const LOCK_POLL_MS = 200

/** For the tests of a file, a Chromium without a window: the machine's own, or one that is fetched the first time. */
export function useBrowser(): Pick<Browser, 'newContext' | 'newPage'> {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: ARGUMENTS })
  })
  afterAll(() => browser?.close())
  return { newContext: (options) => browser.newContext(options), newPage: (options) => browser.newPage(options) }
}

async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`)
    return named
  }
  return installed() ?? (await alone(async () => installed() ?? (await unpack()) ?? (await install())))
}

const installed = (): string | undefined => USUAL_PLACES.find((path) => existsSync(path))

/** A build that comes as a package, for the one platform that it is made for. */
async function unpack(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}

async function install(): Promise<string> {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await aptGet('update')
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await aptGet('install', '-y', '--no-install-recommends', name).catch(() => undefined)
      const path = installed()
      if (path !== undefined) return path
    }
  }
  throw new Error('These tests need Chromium. Install Chromium or Chrome, or set CHROMIUM_PATH to where it is.')
}

const aptGet = (...args: string[]) =>
  promisify(execFile)('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })

/**
 * Test files run at the same time, and only one may install. The lock is one that the system takes back by
 * itself when the process ends, however it ends.
 */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(tmpdir(), 'waymark-chromium.lock'))
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
