import type { DestinationStream } from 'pino'
import { SEALED_COLUMNS } from '../main/sealed-columns.ts'
import type { StatementObserver } from '../platform/db/types.ts'

/** Secrets that have a form of their own: API keys, tokens of OAuth and invitations, signing secrets, recovery codes. */
const RECOGNISABLE =
  /\bwm[or]?_live_[0-9A-Za-z]{40}\b|\bwmi_[0-9A-Za-z]{20,}\b|\bwhsec_[0-9a-f]{64}\b|\b[0-9a-hjkmnp-tv-z]{6}(?:-[0-9a-hjkmnp-tv-z]{6}){3}\b/

/** The form of session tokens and links, and of hashes. */
const TOKENS = /[A-Za-z0-9_-]{43}/g

/** The shortest secret. */
const PASSWORD_LENGTH_MIN = 10

/** Much longer texts are documents, which hold no secrets and take long to search. */
const SEARCHED_LENGTH_MAX = 64 * 1024

const tokens = new Set<string>()
const passwords = new Set<string>()

/** Must be called with every session token and every token of a link that a test gets to see. */
export const rememberToken = (token: string): void => void tokens.add(token)

/** Must be called with every password and seed that a test uses. */
export const rememberPassword = (password: string): void => {
  if (password.length >= PASSWORD_LENGTH_MIN) passwords.add(password)
}

/**
 * Looks for secrets in everything that a service stores and logs. What is stored includes events, entries of the audit log
 * and backups, which are copies of the tables.
 */
export class SecretsGuard implements DestinationStream {
  readonly found: string[] = []

  readonly observe: StatementObserver = (sql, parameters) => {
    for (const value of parameters) {
      if (isUnlistedSeal(value, sql)) this.found.push(`a sealed value that SEALED_COLUMNS does not list, in ${sql}`)
      if (typeof value === 'string') this.#check(value, sql)
      else if (typeof value === 'object' && value !== null) this.#check(JSON.stringify(value), sql)
    }
  }

  /** The log writes its lines here. */
  write(line: string): void {
    this.#check(line, 'the log')
  }

  #check(text: string, where: string): void {
    const secret = findSecret(text)
    if (secret !== undefined) this.found.push(`${secret} in ${where}`)
  }
}

/** The form of what `Keyring.seal` returns. `secret rotate` has to know where it is stored. */
const SEALED = /^\d{1,9}\.[A-Za-z0-9+/]{38,}={0,2}$/
const isUnlistedSeal = (value: unknown, sql: string): boolean =>
  typeof value === 'string' && SEALED.test(value) && !Object.keys(SEALED_COLUMNS).some((table) => sql.includes(table))

export function findSecret(text: string): string | undefined {
  if (text.length < PASSWORD_LENGTH_MIN || text.length > SEARCHED_LENGTH_MAX) return undefined
  return RECOGNISABLE.exec(text)?.[0] ?? findToken(text) ?? passwords.values().find((one) => text.includes(one))
}

function findToken(text: string): string | undefined {
  if (text.length < 43 || tokens.size === 0) return undefined
  for (const [candidate] of text.matchAll(TOKENS)) if (tokens.has(candidate)) return candidate
  return undefined
}
