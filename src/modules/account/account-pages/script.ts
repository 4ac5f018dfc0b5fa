import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Script {
  path: string
  /** Changes with the script, so that browsers may cache it. */
  url: string
  content: string
}

function load(name: string): Script {
  const content = readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8')
  const path = `/account/${name}.js`
  return { path, url: `${path}?v=${hash('sha256', content, 'base64url').slice(0, 12)}`, content }
}

/** The scripts of the account pages. A page has at most one, and everything but passkeys works without it. */
export const SCRIPTS = { passkeys: load('passkeys'), copy: load('copy') }

export type ScriptName = keyof typeof SCRIPTS
