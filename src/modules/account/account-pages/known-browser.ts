import type { AccountRequestServices } from './request-services.ts'
import type { AccountVisit } from './visit.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Says in a signed cookie who has signed in with this browser, so that it can be told from the browsers of guessers. */
export function rememberBrowser({ browserCookie, keyring }: AccountRequestServices, userId: string): string {
  const { generation, signature } = keyring.sign('browser', userId)
  return browserCookie.set(`${userId}.${generation}.${signature.toString('base64url')}`, YEAR_SECONDS)
}

/** Returns the person who has signed in with this browser before. */
export function readBrowser(
  { browserCookie, keyring }: AccountRequestServices,
  { request }: AccountVisit,
): string | undefined {
  const [userId = '', generation, signature = ''] = browserCookie.read(request.headers.cookie)?.split('.') ?? []
  const isOurs = keyring.verify('browser', Number(generation), userId, Buffer.from(signature, 'base64url'))
  return isOurs ? userId : undefined
}
