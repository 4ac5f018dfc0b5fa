import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock/index.ts'

export const ACCESS_TOKEN_MS = HOUR_MS
/** A refresh token that is not used for this long ends, and with it the connection. */
export const REFRESH_TOKEN_MS = 30 * DAY_MS
export const CODE_MS = 60 * SECOND_MS
/** How long a person may take to sign in and decide. */
export const REQUEST_MS = 15 * MINUTE_MS

/** Limits one grant. Older access tokens end. */
export const ACCESS_TOKENS_MAX = 20
/** Limits one grant. Used ones count, because they show when one is used twice. */
export const REFRESH_TOKENS_MAX = 100

/** An application that nobody has allowed anything within this time is forgotten. */
export const UNUSED_CLIENT_MS = DAY_MS
/** Limits the whole installation. Beyond this, the oldest unused one is forgotten. */
export const UNUSED_CLIENTS_MAX = 10_000
