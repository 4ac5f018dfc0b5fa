import fc from 'fast-check'
import { timestamp, toMs } from '../../../../platform/clock/index.ts'
import type { StoredRule, StoredRules } from '../compile.ts'
import { type Condition, conditionsIn, WEEKDAYS } from '../conditions/contract.ts'
import type { ImaginedScan } from '../contract.ts'
import type { Facts } from '../facts.ts'

/** Zones with half hours, with changes at midnight and of half an hour, and one that left out a whole day. */
const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

const from = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values)

// There are few values of each kind, so that conditions often hold.
const device = from('mobile', 'tablet', 'desktop')
const os = from('iOS', 'Android')
const country = from('DE', 'AT', 'BR')
const region = from('Bavaria', 'Tyrol')
const key = from('table', 'material')
const value = from('7', 'Oak', '')
const lot = from('L1', 'L2')
const domain = from('menu.acme.com', 'acme.com')
const via = from('print', 'nfc')
const tag = from('de', 'de-AT', 'en', 'zh-Hant', 'zh', 'no', 'nb', 'pt-BR')
const header = from(
  'de-AT,de;q=0.9,en;q=0.8',
  'de',
  'en;q=0.5,de;q=0.8',
  'zh-TW,zh;q=0.9',
  'zh-Hans-CN',
  'nb-NO,no;q=0.9',
  'no',
  '*',
  'fr;q=0,pt-BR;q=0.1,*;q=0.9',
)

const anyTime = fc.integer({ min: toMs('2009-01-01T00:00:00Z'), max: toMs('2031-01-01T00:00:00Z') })
/** Within two hours of a time at which the clocks of a zone change. */
const nearChange = fc
  .tuple(from(...TIME_ZONES), anyTime, fc.integer({ min: -7200, max: 7200 }))
  .map(([zone, ms, seconds]) => {
    const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    return (time.getTimeZoneTransition('next')?.epochMilliseconds ?? ms) + seconds * 1000
  })
const moments = fc.oneof(anyTime, nearChange)

const instant = moments.map(timestamp)
const bound = fc.oneof(
  instant,
  instant.map((text) => text.slice(0, 10)),
)
const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), from('00', '30', '59'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const someOf = <Value>(values: fc.Arbitrary<Value>) => fc.uniqueArray(values, { minLength: 1, maxLength: 3 })

const oneOrBoth = <Value>(one: string, other: string, values: fc.Arbitrary<Value>) =>
  fc.oneof(fc.record({ [one]: values }), fc.record({ [other]: values }), fc.record({ [one]: values, [other]: values }))

const ownTest: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ device: someOf(device) }),
  fc.record({ os: someOf(fc.oneof(os, from('ios', 'ANDROID'))) }),
  fc.record({ language: someOf(tag) }),
  fc.record({ country: someOf(country) }),
  fc.record({ region: someOf(fc.oneof(region, from('bavaria'))) }),
  fc.record({ date: oneOrBoth('from', 'until', bound) }),
  fc.record({ weekday: someOf(from(...WEEKDAYS)) }),
  oneOrBoth('from', 'to', clockTime),
  fc.record({ from: clockTime, to: from('00:00', '24:00') }),
  fc.record({ query: fc.oneof(fc.record({ key, is: value }), fc.record({ key, exists: fc.boolean() })) }),
  fc
    .tuple(from('code', 'object'), oneOrBoth('from', 'to', fc.integer({ min: 1, max: 5 })))
    .map(([of, range]) => ({ scan_number: { of, ...range } })),
  fc.record({ lot: someOf(lot) }),
  fc.record({ serial: someOf(lot) }),
  fc.record({ property: fc.record({ key, is: value }) }),
  fc.record({ domain: someOf(domain) }),
  fc.record({ via: someOf(via) }),
)

const isOpen = ({ from = '00:00', to = '24:00' }: Condition): boolean => from !== to

/** Conditions that the contract accepts. */
export function conditions(depth = 4): fc.Arbitrary<Condition> {
  const own = fc
    .array(ownTest, { maxLength: 2 })
    .map((tests): Condition => Object.assign({}, ...tests))
    .filter(isOpen)
  if (depth === 0) return own
  const inner = conditions(depth - 1)
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const combined = fc.oneof(
    fc.record({ all: list }),
    fc.record({ any: list }),
    fc.record({ not: inner }),
    fc.record({ any: list, not: inner }),
  )
  return fc.oneof(
    { weight: 2, arbitrary: own },
    { weight: 1, arbitrary: combined },
    { weight: 1, arbitrary: fc.tuple(own, combined).map(([tests, others]) => ({ ...tests, ...others })) },
  )
}

const weights = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 4 })
  .filter((list) => list.some((weight) => weight > 0))

/** Documents that the contract accepts, with any destinations. */
export function documents<Destination>(destination: fc.Arbitrary<Destination>): fc.Arbitrary<StoredRules<Destination>> {
  const split = fc
    .tuple(weights, fc.array(destination, { minLength: 4, maxLength: 4 }))
    .map(([list, destinations]) => ({
      split: list.map((weight, at) => ({ key: `v${at}`, weight, destination: destinations[at] as Destination })),
    }))
  const rule: fc.Arbitrary<Omit<StoredRule<Destination>, 'id' | 'name'>> = fc.record({
    active: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    when: conditions().filter((condition) => conditionsIn(condition) <= 50),
    then: fc.oneof(fc.record({ destination }), split),
  })
  return fc
    .record({ version: fc.constant(1), timeZone: from(...TIME_ZONES), rules: fc.array(rule, { maxLength: 6 }) })
    .map((document) => ({
      ...document,
      rules: document.rules.map((one, at) => ({ id: `r${at}`, name: `Rule ${at}`, ...one })),
    }))
}

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 4 })
const orUndefined = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 4 })
const count = orUndefined(fc.integer({ min: 1, max: 6 }))
const values = fc.dictionary(key, value)

export const facts: fc.Arbitrary<Facts> = fc
  .record({
    atMs: moments,
    device: orNull(fc.oneof(device, from('tv'))),
    os: orNull(os),
    acceptLanguage: orUndefined(header),
    country: orNull(country),
    region: orNull(region),
    query: values,
    via,
    domain: orNull(domain),
    lot: orNull(lot),
    serial: orNull(lot),
    visitor: orUndefined(fc.string()),
    salt: fc.string(),
    scans: fc.record({ code: count, object: count }),
    properties: orUndefined(values),
  })
  .map(({ scans, properties, ...others }) => ({
    ...others,
    scanNumber: (of) => scans[of],
    property: (name) => properties && (properties[name] ?? null),
  }))

/** Scans for the API, which has no way to tell it the salt. */
export const imaginedScans: fc.Arbitrary<ImaginedScan> = fc.record(
  {
    at: instant,
    language: header,
    device,
    os,
    country,
    region,
    query: values,
    via,
    domain,
    lot,
    serial: lot,
    scan_number: fc.integer({ min: 1, max: 6 }),
    properties: values,
  },
  { requiredKeys: ['at'] },
)
