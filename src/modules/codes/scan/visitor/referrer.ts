const LENGTH_MAX = 512
/** The package name alone. What may follow it is an address within the app. */
const ANDROID_APP = /^android-app:\/\/[a-z]\w*(?:\.\w+)*(?=\/|$)/i

/** Removes query, fragment and user info from a referrer, because sites put names, searches and tokens there. */
export function cleanReferrer(header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  const app = ANDROID_APP.exec(header)
  const referrer = app === null ? webPage(header) : `${app[0]}/`
  return referrer !== null && referrer.length <= LENGTH_MAX ? referrer : null
}

function webPage(header: string): string | null {
  const url = URL.parse(header)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.origin + url.pathname
}
