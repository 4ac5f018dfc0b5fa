import { CheckedTokens } from '../../../platform/ids/index.ts'

/** `wmo_live_` and 40 characters; the last 6 are a checksum of the others. */
export const accessTokens = new CheckedTokens('wmo_live_')
export const refreshTokens = new CheckedTokens('wmr_live_')
