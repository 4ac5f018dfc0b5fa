import { hashVisitor, type RecordedScan } from '../../modules/codes/scans/index.ts'
import { DAY_MS, HOUR_MS, timestamp } from '../../platform/clock/index.ts'
import { newIdAt, type OrgId, randomBase62 } from '../../platform/ids/index.ts'
import { describeDevice } from '../../platform/user-agent/device.ts'
import type { Scanned } from './things.ts'

const PER_DAY = 120
/** How scans spread over a day in UTC: breakfast, the coffee break in the afternoon, and the evening on the sofa. */
const HOURS = [1, 1, 0, 0, 1, 3, 9, 14, 15, 12, 10, 9, 10, 11, 12, 12, 10, 9, 10, 12, 11, 8, 5, 2]
/** Starts on Thursday, the first day of Unix time. People unpack machines on Saturdays. */
const WEEKDAYS = [1, 1.15, 1.4, 0.8, 0.9, 0.85, 0.9]
/** More at the end than at the beginning. */
const GROWTH = 0.35
const NOISE = 0.25
const BOT_SHARE = 0.03

type Weighted<T> = readonly (readonly [weight: number, value: T])[]

const DEVICES: Weighted<string> = [
  [
    34,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  [
    12,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  [
    26,
    'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  ],
  [
    13,
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [5, 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0'],
  [
    5,
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  [
    5,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  ],
]

const BOTS: Weighted<string> = [
  [3, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  [2, 'WhatsApp/2.25.30 A'],
  [1, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
]

const PLACES: Weighted<readonly [country: string, region: string, city: string]> = [
  [20, ['DE', 'Berlin', 'Berlin']],
  [12, ['DE', 'Bavaria', 'Munich']],
  [9, ['DE', 'Hamburg', 'Hamburg']],
  [14, ['FR', 'Île-de-France', 'Paris']],
  [5, ['FR', 'Auvergne-Rhône-Alpes', 'Lyon']],
  [10, ['AT', 'Vienna', 'Vienna']],
  [9, ['NL', 'North Holland', 'Amsterdam']],
  [7, ['GB', 'England', 'London']],
  [5, ['CH', 'Zurich', 'Zurich']],
  [4, ['US', 'New York', 'New York']],
  [3, ['JP', 'Tokyo', 'Tokyo']],
]

/** The scans of the days up to now, in order. Always the same ones, apart from their ids and times. */
export function* inventScans(
  orgId: OrgId,
  scanned: readonly Scanned[],
  days: number,
  nowMs: number,
): Generator<RecordedScan> {
  const random = randomFrom(days)
  const pick = <T>(choices: Weighted<T>): T => {
    let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0)
    const chosen = choices.find(([weight]) => {
      left -= weight
      return left < 0
    })
    return (chosen ?? choices[0])?.[1] as T
  }
  const targets = scanned.map((target) => [target.weight, target] as const)
  const hours = HOURS.map((weight, hour) => [weight, hour] as const)
  const firstMs = nowMs - days * DAY_MS
  const midnightMs = nowMs - (nowMs % DAY_MS)
  for (let day = days; day >= 0; day--) {
    const dayMs = midnightMs - day * DAY_MS
    const weekday = WEEKDAYS[(dayMs / DAY_MS) % WEEKDAYS.length] ?? 1
    const trend = 1 + GROWTH * (0.5 - day / days)
    const count = Math.round(PER_DAY * weekday * trend * (1 + NOISE * (random() - 0.5)))
    const times = Array.from({ length: count }, () => Math.floor(dayMs + (pick(hours) + random()) * HOUR_MS))
    const salt = randomBase62(16)
    for (const ms of times.sort((a, b) => a - b)) {
      const isBot = random() < BOT_SHARE
      const userAgent = pick(isBot ? BOTS : DEVICES)
      const [country, region, city] = pick(PLACES)
      const target = pick(targets)
      const visitor = hashVisitor(salt, orgId, `198.51.100.${Math.floor(random() * 250)}`, userAgent)
      if (ms <= firstMs || ms > nowMs) continue
      const device = describeDevice(userAgent)
      const destination = target.destinationAt(ms)
      const row = {
        org_id: orgId,
        id: newIdAt(ms),
        target_kind: target.kind,
        target_id: target.id,
        scanned_at: timestamp(ms),
        is_bot: isBot,
        visitor,
        user_agent: userAgent,
        device_type: device.type,
        device_os: device.os,
        device_browser: device.browser,
        destination_type: destination.type,
        destination_id: destination.id,
        destination_url: destination.url,
        query_params: null,
        country,
        region,
        city,
        gs1: null,
        referrer: null,
      }
      yield { row, announced: false }
    }
  }
}

/** Numbers from 0 to 1 that look random (the generator of Park and Miller), the same for the same seed. */
function randomFrom(seed: number): () => number {
  const modulus = 2 ** 31 - 1
  let state = seed
  return () => {
    state = (state * 48_271) % modulus
    return state / modulus
  }
}
