import { MINUTE_MS, toMs } from '../../clock/index.ts'
import { ApiError } from '../../errors/index.ts'
import type { Credential } from './context.ts'

/** How long after a person has proved who they are they may do what a stolen session must not. */
const RECENT_MS = 10 * MINUTE_MS

/** One in the future is from before the clock went back. */
export const isRecent = (authenticatedAt: string, nowMs: number): boolean =>
  Math.abs(nowMs - toMs(authenticatedAt)) < RECENT_MS

/** Throws 403 for a session whose person proved who they are too long ago. Programs have no session. */
export function requireRecentSignIn({ signIn }: Credential, nowMs: number): void {
  if (signIn !== undefined && !isRecent(signIn.authenticatedAt, nowMs)) throw recentSignInRequired(signIn.confirmPath)
}

const REQUIRED = 'recent_sign_in'

export const recentSignInRequired = (confirmPath: string): ApiError =>
  new ApiError(
    'forbidden',
    `You signed in more than 10 minutes ago. Confirm that it is you at ${confirmPath}, then try again.`,
    { details: { required: REQUIRED } },
  )

/** Whether the details of an error ask for a new sign-in. */
export const asksForSignIn = (details: unknown): boolean =>
  (details as { required?: unknown } | undefined)?.required === REQUIRED
