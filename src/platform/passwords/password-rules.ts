import { readFileSync } from 'node:fs'

const LENGTH_MIN = 10
/** Long enough for every passphrase. Limits what has to be hashed. */
const LENGTH_MAX = 200

export type PasswordProblem = 'too_short' | 'too_long' | 'too_common' | 'about_you'

let common: Set<string> | undefined

/** Returns what is wrong with a new password. Others know the email address of the person. */
export function findPasswordProblem(password: string, email: string): PasswordProblem | undefined {
  const { length } = [...password]
  if (length < LENGTH_MIN) return 'too_short'
  if (length > LENGTH_MAX) return 'too_long'
  const folded = password.toLowerCase()
  const core = folded.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (isCommon(folded) || isCommon(core) || isRepeated(folded)) return 'too_common'
  const about = [email, email.slice(0, email.indexOf('@'))]
  if (about.some((text) => core.replace(/\d+$/, '') === text.toLowerCase())) return 'about_you'
}

/** The list has the most common passwords of at least 10 characters, in lower case. */
function isCommon(folded: string): boolean {
  common ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  return common.has(folded)
}

/** One to four characters, again and again. */
const isRepeated = (folded: string): boolean => /^(.{1,4})\1+$/u.test(folded)
