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

/** Starts a headless Chromium for the tests of a file: the installed one, or one that is downloaded on first use. */
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
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, but this file does not exist.`)
    return named
  }
  return installed() ?? (await withPackageLock(async () => installed() ?? (await unpack()) ?? (await install())))
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
