import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeDevice } from './device.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${SAFARI}`
const ANDROID = `Mozilla/5.0 (Linux; Android 13; SM-A546B Build/TP1A.220624.014; wv) ${WEBKIT} Version/4.0`
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

test.each([
  [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Safari'],
  [`${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Chrome'],
  [`${IPHONE} FxiOS/127.1 Mobile/15E148 Safari/605.1.15`, 'mobile', 'iOS', 'Firefox'],
  [`${IPHONE} Version/17.0 EdgiOS/126.0.2592.56 Mobile/15E148 Safari/605.1.15`, 'mobile', 'iOS', 'Edge'],
  [`${IPHONE} GSA/323.0.647062479 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Google app'],
  [`${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1 BingSapphire/31.2.430610001`, 'mobile', 'iOS', 'Bing'],
  [`${IPHONE} Mobile/21D61 [FBAN/FBIOS;FBAV/450.0.0.38.108;FBDV/iPhone14,5]`, 'mobile', 'iOS', 'Facebook'],
  [`${IPHONE} Mobile/21F90 Instagram 334.0.4.32.98 (iPhone15,2; iOS 17_5_1; en_GB)`, 'mobile', 'iOS', 'Instagram'],
  [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003133) NetType/WIFI`, 'mobile', 'iOS', 'WeChat'],
  [`${IPHONE} Mobile/15E148 YJApp-IOS jp.co.yahoo.ipn.appli/4.150.0`, 'mobile', 'iOS', 'Safari'],
  [`Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${SAFARI} Version/12.1 Safari/604.1`, 'tablet', 'iOS', 'Safari'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.5 Safari/605.1.15`,
    'desktop',
    'macOS',
    'Safari',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`, 'mobile', 'Android', 'Chrome'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`, 'tablet', 'Android', 'Chrome'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'mobile', 'Android', 'Firefox'],
  ['Mozilla/5.0 (Android 14; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0', 'tablet', 'Android', 'Firefox'],
  [`${ANDROID} Chrome/125.0.6422.165 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/467.0]`, 'mobile', 'Android', 'Facebook'],
  [`${ANDROID} Chrome/125.0.6422.165 Mobile Safari/537.36;KAKAOTALK 2410600`, 'mobile', 'Android', 'KakaoTalk'],
  [`${ANDROID} Chrome/123.0.6312.118 Mobile Safari/537.36 Line/14.6.1/IAB`, 'mobile', 'Android', 'LINE'],
  [
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    'mobile',
    'Android',
    'Samsung Internet',
  ],
  ['Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423', 'mobile', 'Android', 'Opera'],
  ['UCWEB/2.0 (Java; U; MIDP-2.0; nokia501) U2/1.0.0 UCBrowser/9.5.0.449 Mobile', 'mobile', null, 'UC Browser'],
  ['Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.1', 'mobile', 'KaiOS', 'Firefox'],
  [
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0.0.0 ArkWeb/4.1 Mobile`,
    'mobile',
    'HarmonyOS',
    'Chrome',
  ],
  [`${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`, 'desktop', 'Windows', 'Chrome'],
  [`${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.3351.55`, 'desktop', 'Windows', 'Edge'],
  [`${WINDOWS} ${WEBKIT} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`, 'desktop', 'Windows', 'Opera'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop', 'Linux', 'Firefox'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`,
    'desktop',
    'ChromeOS',
    'Chrome',
  ],
  [
    `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K UR2) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`,
    'tv',
    'Android',
    'Chrome',
  ],
  [
    `Mozilla/5.0 (Linux; Android 9; AFTKA) ${WEBKIT} Silk/126.3 like Chrome/126.0 Safari/537.36`,
    'tv',
    'Android',
    'Amazon Silk',
  ],
  [`Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) ${WEBKIT} 85.0.4183.93/6.5 TV Safari/537.36`, 'tv', 'Tizen', null],
  ['curl/8.5.0', null, null, null],
  ['', null, null, null],
])('describes %s', (userAgent, type, os, browser) => {
  expect(describeDevice(userAgent)).toEqual({ type, os, browser })
})

test('never throws, and never returns text from the header as a name', () => {
  const words = fc.constantFrom(
    'constructor',
    '__proto__',
    'Evil',
    'Mozilla/5.0',
    '(',
    ')',
    '/',
    '1.0',
    'Android',
    'tv',
    ' ',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(text, (userAgent) => {
      const { type, os, browser } = describeDevice(userAgent)
      expect([null, 'mobile', 'tablet', 'desktop', 'tv']).toContain(type)
      expect([null, 'Android']).toContain(os)
      expect([null, 'Android Browser']).toContain(browser)
    }),
  )
})
