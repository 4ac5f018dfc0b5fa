import Bowser from 'bowser'

type DeviceType = 'mobile' | 'tablet' | 'desktop' | 'tv'

export interface Device {
  type: DeviceType | null
  os: string | null
  browser: string | null
}

/** Longer than the header of any browser. */
const USER_AGENT_LENGTH_MAX = 512

const TYPES: ReadonlyMap<string, DeviceType> = new Map(
  (['mobile', 'tablet', 'desktop', 'tv'] as const).map((type) => [type, type]),
)

/** Bowser reports most of these as Android tablets, or not at all. */
const TELEVISION =
  /smart-?tv|android ?tv|google ?tv|apple ?tv|hbbtv|bravia|\bcrkey\b|\bAFT[A-Z0-9]+\b|playstation|xbox|web0s/i

const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['Android', 'Android'],
  ['BlackBerry', 'BlackBerry'],
  ['Chrome OS', 'ChromeOS'],
  ['HarmonyOS', 'HarmonyOS'],
  ['Linux', 'Linux'],
  ['PlayStation 4', 'PlayStation'],
  ['Roku', 'Roku'],
  ['Tizen', 'Tizen'],
  ['WebOS', 'webOS'],
  ['Windows', 'Windows'],
  ['Windows Phone', 'Windows Phone'],
  ['iOS', 'iOS'],
  ['macOS', 'macOS'],
])

/** Apps with a built-in browser, and browsers that Bowser does not know. The first match wins: narrow ones go first. */
const APPS: readonly (readonly [RegExp, string])[] = [
  [/\bInstagram\b/, 'Instagram'],
  [/\bFB(?:AN|AV)\/|\bFB_IAB\//, 'Facebook'],
  [/\bWhatsApp\//, 'WhatsApp'],
  [/\bLine\/\d/, 'LINE'],
  [/KAKAOTALK/, 'KakaoTalk'],
  [/\bSnapchat\//, 'Snapchat'],
  [/\bmusical_ly|\btrill_|\bTikTok/, 'TikTok'],
  [/\bPinterest\//, 'Pinterest'],
  [/\bLinkedInApp\b/, 'LinkedIn'],
  [/\bTwitter for /, 'X'],
  [/\bAlipayClient\//, 'Alipay'],
  [/\bGSA\/|\bGoogleApp\//, 'Google app'],
  [/\bBingSapphire\//, 'Bing'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\bHuaweiBrowser\//, 'Huawei Browser'],
]

/** An allowlist, because Bowser makes up a name from the header when it knows none. */
const BROWSERS: ReadonlyMap<string, string> = new Map([
  ['Amazon Silk', 'Amazon Silk'],
  ['Android Browser', 'Android Browser'],
  ['Brave', 'Brave'],
  ['Chrome', 'Chrome'],
  ['Chromium', 'Chromium'],
  ['Firefox', 'Firefox'],
  ['HeyTap Browser', 'HeyTap Browser'],
  ['Internet Explorer', 'Internet Explorer'],
  ['Microsoft Edge', 'Edge'],
  ['Miui', 'Mi Browser'],
  ['NAVER Whale Browser', 'Whale'],
  ['Opera', 'Opera'],
  ['Opera Touch', 'Opera'],
  ['QQ Browser', 'QQ Browser'],
  ['QQ Browser Lite', 'QQ Browser'],
  ['Safari', 'Safari'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['Sogou Browser', 'Sogou Browser'],
  ['UC Browser', 'UC Browser'],
  ['Vivaldi', 'Vivaldi'],
  ['Vivo Browser', 'Vivo Browser'],
  ['WeChat', 'WeChat'],
  ['Yandex Browser', 'Yandex Browser'],
])

/**
 * Describes the visitor's device in a small fixed vocabulary; null means anything else. An iPad that requests desktop
 * pages identifies itself as a Mac, and nothing in the request distinguishes the two.
 */
export function describeDevice(userAgent: string): Device {
  if (userAgent === '') return { type: null, os: null, browser: null }
  const parser = Bowser.getParser(userAgent, true)
  const os = /\bKAIOS\//i.test(userAgent) ? 'KaiOS' : (SYSTEMS.get(parser.getOSName()) ?? null)
  return { type: typeOf(userAgent, os, parser.getPlatformType()), os, browser: browserOf(userAgent, parser) }
}

function typeOf(userAgent: string, os: string | null, bowserType: string): DeviceType | null {
  if (TELEVISION.test(userAgent)) return 'tv'
  if (os === 'ChromeOS') return 'desktop'
  // Bowser reports Yahoo's app as a crawler.
  return TYPES.get(bowserType) ?? (/mobi/i.test(userAgent) ? 'mobile' : null)
}

function browserOf(userAgent: string, parser: Bowser.Parser.Parser): string | null {
  const app = APPS.find(([pattern]) => pattern.test(userAgent))
  return app?.[1] ?? BROWSERS.get(parser.getBrowserName()) ?? null
}

/** Returns a name that people recognise, such as `Firefox, Windows`. It is empty if the header tells nothing. */
export function nameDevice(userAgent = ''): string {
  const { browser, os } = describeDevice(userAgent.slice(0, USER_AGENT_LENGTH_MAX))
  return [browser, os].filter(Boolean).join(', ')
}
