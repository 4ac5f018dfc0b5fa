import { z } from 'zod'
import { CountryCode } from '../../../../platform/contract/country-code.ts'
import { HostName } from '../../../../platform/contract/host-name.ts'
import { choice, field } from '../../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { KeyValueList } from '../../key-values/contract.ts'

const DEPTH_MAX = 4
const VALUES_MAX = 100
/** GS1 limits lots and serial numbers to this length. */
const QUALIFIER_LENGTH_MAX = 20

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const Weekday = choice({
  mon: 'Monday.',
  tue: 'Tuesday.',
  wed: 'Wednesday.',
  thu: 'Thursday.',
  fri: 'Friday.',
  sat: 'Saturday.',
  sun: 'Sunday.',
})

const oneOf = <Value extends z.ZodType>(value: Value, description: string) =>
  z.array(value).min(1).max(VALUES_MAX).optional().describe(description)

const text = (max: number, example: string) => field.text(1, max).meta({ examples: [example] })

export const OperatingSystem = text(50, 'iOS')
export const Region = text(100, 'Bavaria')
export const Lot = text(QUALIFIER_LENGTH_MAX, 'L-2026-11')
export const Serial = text(QUALIFIER_LENGTH_MAX, 'S0042')
export const Via = text(50, 'nfc')

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success

const DayOrTime = z
  .string()
  .refine((text) => isDay(text) || field.timestamp.safeParse(text).success, {
    error: 'Must be a date such as 2026-11-16, or an ISO 8601 date and time with an offset',
  })
  .meta({ examples: ['2026-11-16'] })

const DateRange = z
  .strictObject({
    from: DayOrTime.optional().describe('The first day of the time zone, or the first moment.'),
    until: DayOrTime.optional().describe('The last day of the time zone, or the first moment that is too late.'),
  })
  .refine(({ from, until }) => from !== undefined || until !== undefined, { error: 'Must have from, until or both' })

const clockTime = (pattern: RegExp, example: string) =>
  z
    .string()
    .regex(pattern, { error: `Must be a time such as ${example}` })
    .optional()
    .meta({ examples: [example] })

const QueryTest = z
  .strictObject({
    key: text(100, 'table').describe('The name of a parameter in the scanned address.'),
    is: field
      .text(0, 500)
      .optional()
      .describe('The exact value of the parameter.')
      .meta({ examples: ['7'] }),
    exists: z.boolean().optional().describe('Whether the address has the parameter, with any value.'),
  })
  .refine(({ is, exists }) => (is === undefined) !== (exists === undefined), { error: 'Must have either is or exists' })

const ScanNumber = z.int().min(1).max(1_000_000_000).optional()

const ScanNumberRange = z
  .strictObject({
    of: choice({
      code: 'Scans of the scanned QR code, object or product itself.',
      object: 'Scans of the object, also those of all codes that belong to it.',
    }).meta({ examples: ['code'] }),
    from: ScanNumber.describe('The first scan has the number 1.').meta({ examples: [1] }),
    to: ScanNumber.describe('The last number.').meta({ examples: [100] }),
  })
  .refine(({ from, to }) => from !== undefined || to !== undefined, { error: 'Must have from, to or both' })

const { key: propertyKey, value: propertyValue } = KeyValueList.element.shape

const PropertyTest = z.strictObject({
  key: propertyKey.describe('The key of a property.'),
  is: propertyValue.describe('The exact value of the property.'),
})

/** A condition without those inside of it. */
const ownTests = {
  device: oneOf(
    choice({ mobile: 'A phone.', tablet: 'A tablet.', desktop: 'A computer.' }),
    'The device of the visitor.',
  ),
  os: oneOf(OperatingSystem, 'The operating system of the visitor, such as iOS, Android or Windows. Ignores case.'),
  language: oneOf(
    ContentLanguage,
    'The language that the browser prefers to all others. `de` also stands for de-AT, but not the reverse.',
  ),
  country: oneOf(CountryCode, 'Where the visitor seems to be, if the installation can determine it.'),
  region: oneOf(Region, 'The state or province where the visitor seems to be, by its English name. Ignores case.'),
  date: DateRange.optional().describe('Days of the time zone, both inclusive. A time is exact, and `until` exclusive.'),
  weekday: oneOf(Weekday, 'Days of the week in the time zone.'),
  from: clockTime(/^([01]\d|2[0-3]):[0-5]\d$/, '11:00').describe(
    'From this time of the day in the time zone. From midnight if only `to` is set.',
  ),
  to: clockTime(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '14:30').describe(
    'Before this time. At or before `from`, it is on the next day, and the window belongs to the day on which it begins. Until midnight if only `from` is set.',
  ),
  query: QueryTest.optional().describe('A parameter of the scanned address.'),
  scan_number: ScanNumberRange.optional().describe('Which scan this is, counting only those of people.'),
  lot: oneOf(Lot, 'The lot of a scanned GS1 Digital Link.'),
  serial: oneOf(Serial, 'The serial number of a scanned GS1 Digital Link.'),
  property: PropertyTest.optional().describe(
    'A property of the scanned object or product, or of the object that the code belongs to.',
  ),
  domain: oneOf(HostName, 'The custom domain that was scanned.'),
  via: oneOf(Via, 'The value of `?via=` in the scanned address. `print` if there is none.'),
}

export interface Condition extends z.infer<z.ZodObject<typeof ownTests>> {
  all?: Condition[] | undefined
  any?: Condition[] | undefined
  not?: Condition | undefined
}

const SAME_TIMES = 'Must not be the same as from, because the window would be empty. For the whole day, leave out both'

/** When a rule applies. All keys have to hold. */
export const Condition: z.ZodType<Condition, Condition> = z
  .strictObject({
    ...ownTests,
    get all() {
      return z.array(Condition).min(1).max(VALUES_MAX).optional().describe('All of these conditions hold.')
    },
    get any() {
      return z.array(Condition).min(1).max(VALUES_MAX).optional().describe('At least one of these conditions holds.')
    },
    get not() {
      return Condition.optional().describe('This condition does not hold.')
    },
  })
  .superRefine(({ from, to }, context) => {
    if (to !== undefined && to === (from ?? '00:00')) {
      context.addIssue({ code: 'custom', path: ['to'], message: SAME_TIMES })
    }
  })
  .meta({
    id: 'Condition',
    description: `When a rule applies. If a condition has several keys, all of them have to hold; \`{}\` always holds. \`all\`, \`any\` and \`not\` can be nested at most ${DEPTH_MAX} deep.`,
    examples: [{ weekday: ['mon', 'tue', 'wed'], from: '11:00', to: '14:30', not: { language: ['en'] } }],
  })

/** The conditions directly inside of a condition, of which nothing may be checked yet. */
export function innerConditions(condition: unknown): unknown[] {
  if (typeof condition !== 'object' || condition === null) return []
  const { all, any, not } = condition as Record<string, unknown>
  return [...(Array.isArray(all) ? all : []), ...(Array.isArray(any) ? any : []), ...(not === undefined ? [] : [not])]
}

/** How many conditions a condition consists of. */
export const conditionsIn = (condition: unknown): number =>
  innerConditions(condition).reduce<number>((sum, inner) => sum + conditionsIn(inner), 1)

/** Level by level, without recursion: the sender chooses the depth. */
function isTooDeep(sent: unknown): boolean {
  let level = [sent]
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) level = level.flatMap(innerConditions)
  return level.length > 0
}

/** A condition in a request. Its depth is checked first, because to parse thousands of levels would overflow the stack. */
export const NestedCondition = z.preprocess((sent, context) => {
  if (!isTooDeep(sent)) return sent
  context.addIssue({ code: 'custom', message: `Must be nested at most ${DEPTH_MAX} deep` })
  return z.NEVER
}, Condition)
