/** The endpoints of the authorisation server, relative to the address of the application. */
export const ENDPOINTS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
} as const

/** The page on which a person decides about a request. Its id follows. */
export const CONSENT_PATH = '/account/consent'

/** Binds a request to the browser in which it began, so that nobody decides about a request of somebody else. */
export const requestCookieOf = (appUrl: string): string =>
  `${appUrl.startsWith('https:') ? '__Secure-' : ''}waymark_authorization`
