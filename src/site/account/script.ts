import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The only script of the account pages, on those that ask for a passkey. */
export const SCRIPT = readFileSync(new URL('./browser/passkeys.js', import.meta.url), 'utf8')

export const SCRIPT_PATH = '/account/passkeys.js'

/** Changes with the script, so that browsers may cache it. */
export const SCRIPT_URL = `${SCRIPT_PATH}?v=${hash('sha256', SCRIPT, 'base64url').slice(0, 12)}`
