import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { hasPackages, installPackage, updatePackages, withPackageLock } from './debian-packages.ts'

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Allows running as root in containers, without a screen and without background requests. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 120_000

/** All test files of this worker share it: to start it takes as long as many tests. It ends with the worker. */
let starting: Promise<Browser> | undefined

/** Starts a headless Chromium for the tests of a file. What they leave open is closed after them. */
export function useBrowser(): Pick<Browser, 'newContext' | 'newPage'> {
  let browser: Browser
  beforeAll(async () => {
    starting ??= startBrowser()
    browser = await starting
  })
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())))
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return {
    newContext,
    newPage: async (options) => {
      const page = await (await newContext(options)).newPage()
      page.once('close', () => void page.context().close())
      return page
    },
  }
}

/**
 * Starts the Chromium of the lock file, so that all machines test with the same one; where it cannot run, the installed one,
 * or one that is installed now.
 */
async function startBrowser(): Promise<Browser> {
  const start = (executablePath: string) => chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE_MS })
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, but this file does not exist.`)
    return start(named)
  }
  const packaged = await withPackageLock(unpack)
  const started = packaged && (await start(packaged).catch(() => undefined))
  return started || start(installed() ?? (await withPackageLock(async () => installed() ?? (await install()))))
}

const installed = (): string | undefined => USUAL_PATHS.find((path) => existsSync(path))

/** Unpacks the Chromium from the npm package, which supports only one platform. */
async function unpack(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}

async function install(): Promise<string> {
  if (hasPackages()) {
    await updatePackages()
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await installPackage(name).catch(() => undefined)
      const path = installed()
      if (path !== undefined) return path
    }
  }
  throw new Error('These tests need Chromium. Install Chromium or Chrome, or set CHROMIUM_PATH to its path.')
}
