/** Where the first owner of an organisation creates their account. */
export const setUpUrl = (appUrl: string, token: string): string => `${appUrl}/account/set-up?token=${token}`

/** Where a person sets a new password. */
export const resetUrl = (appUrl: string, token: string): string => `${appUrl}/account/reset-password?token=${token}`
