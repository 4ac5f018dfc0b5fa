import { CheckedTokens } from '../../../platform/ids/index.ts'

const keys = new CheckedTokens('wm_live_')

export const KEY_PREFIX = keys.prefix

/** `wm_live_` and 40 characters; the last 6 are a checksum of the others. */
export const newToken = (): string => keys.create()

export const isWellFormedToken = (token: string): boolean => keys.isWellFormed(token)
