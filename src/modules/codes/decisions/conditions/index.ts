import type { ZonedClock } from '../../../../platform/clock/zoned-time.ts'
import type { Facts } from '../facts.ts'
import { domain, lot, query, serial, via } from './address.ts'
import { type Condition, innerConditions } from './contract.ts'
import { date } from './date.ts'
import type { Kind, Seen } from './kind.ts'
import { property, scanNumber } from './scanned-thing.ts'
import type { Test } from './ternary.ts'
import { type TimeOfWeek, time } from './time.ts'
import { country, device, language, os, region } from './visitor.ts'

/** Most kinds are a key of a condition. `weekday`, `from` and `to` are one, because a window belongs to a day. */
type Values = {
  [Key in Exclude<keyof Condition, keyof TimeOfWeek | 'all' | 'any' | 'not'>]-?: NonNullable<Condition[Key]>
} & { time: TimeOfWeek }

export type KindName = keyof Values
export type ValueOf<Name extends KindName> = Values[Name]

/** In the order in which they are tried: what costs least goes first. */
const KINDS: { readonly [Name in KindName]: Kind<Values[Name]> } = {
  device,
  via,
  domain,
  lot,
  serial,
  country,
  region,
  time,
  date,
  query,
  os,
  language,
  property,
  scan_number: scanNumber,
}
const KIND_NAMES = Object.keys(KINDS) as KindName[]

/** What a condition tests itself, and not with those inside of it. */
export type OwnTest = { [Name in KindName]: { kind: Name; value: Values[Name] } }[KindName]

export const ownTestsOf = (condition: Condition): OwnTest[] =>
  KIND_NAMES.flatMap((kind) => {
    const value = kind === 'time' ? timeOf(condition) : condition[kind]
    return value === undefined ? [] : [{ kind, value } as OwnTest]
  })

/** Everything that a condition tests, with those inside of it. */
export const testsWithin = (condition: Condition): OwnTest[] => [
  ...ownTestsOf(condition),
  ...(innerConditions(condition) as Condition[]).flatMap(testsWithin),
]

/** Where a test is in its condition. */
export const keyOf = ({ kind, value }: OwnTest): string =>
  kind === 'time' ? (Object.entries(value).find(([, set]) => set !== undefined)?.[0] ?? kind) : kind

function timeOf({ weekday, from, to }: Condition): TimeOfWeek | undefined {
  return weekday === undefined && from === undefined && to === undefined ? undefined : { weekday, from, to }
}

const kindOf = ({ kind }: OwnTest) => KINDS[kind] as Kind<unknown>

export const compileTest = (test: OwnTest, clock: ZonedClock): Test<Facts> => kindOf(test).compile(test.value, clock)

export const see = (test: OwnTest, facts: Facts, clock: ZonedClock): Seen => kindOf(test).see(facts, test.value, clock)

export const asks = (test: OwnTest): string => kindOf(test).asks(test.value)
