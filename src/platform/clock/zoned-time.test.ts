import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf, formatDay, minuteOf, parseDay, weekdayOf, ZonedClock, zonedClock } from './zoned-time.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Such as `Mon 2026-11-16 12:10`. */
function show(clock: ZonedClock, atMs: number): string {
  const localMs = clock.localMs(atMs)
  const minute = minuteOf(localMs)
  const time = [Math.floor(minute / 60), minute % 60].map((number) => String(number).padStart(2, '0')).join(':')
  return `${WEEKDAYS[weekdayOf(dayOf(localMs))]} ${formatDay(dayOf(localMs))} ${time}`
}

const at = (timeZone: string, time: string) => show(zonedClock(timeZone), Date.parse(time))

test.each([
  [
    'Europe/Berlin',
    'in spring',
    '2026-03-29T00:59:59Z',
    'Sun 2026-03-29 01:59',
    '2026-03-29T01:00:00Z',
    'Sun 2026-03-29 03:00',
  ],
  [
    'Europe/Berlin',
    'in autumn',
    '2026-10-25T00:59:59Z',
    'Sun 2026-10-25 02:59',
    '2026-10-25T01:00:00Z',
    'Sun 2026-10-25 02:00',
  ],
  [
    'America/Sao_Paulo',
    'at midnight',
    '2018-11-04T02:59:59Z',
    'Sat 2018-11-03 23:59',
    '2018-11-04T03:00:00Z',
    'Sun 2018-11-04 01:00',
  ],
  [
    'America/Sao_Paulo',
    'back over midnight',
    '2019-02-17T01:59:59Z',
    'Sat 2019-02-16 23:59',
    '2019-02-17T02:00:00Z',
    'Sat 2019-02-16 23:00',
  ],
  [
    'Africa/Cairo',
    'at midnight',
    '2026-04-23T21:59:59Z',
    'Thu 2026-04-23 23:59',
    '2026-04-23T22:00:00Z',
    'Fri 2026-04-24 01:00',
  ],
  [
    'Asia/Beirut',
    'back over midnight',
    '2026-10-24T20:59:59Z',
    'Sat 2026-10-24 23:59',
    '2026-10-24T21:00:00Z',
    'Sat 2026-10-24 23:00',
  ],
  [
    'Australia/Lord_Howe',
    'by half an hour',
    '2026-04-04T14:59:59Z',
    'Sun 2026-04-05 01:59',
    '2026-04-04T15:00:00Z',
    'Sun 2026-04-05 01:30',
  ],
  [
    'Pacific/Apia',
    'by a day',
    '2011-12-30T09:59:59Z',
    'Thu 2011-12-29 23:59',
    '2011-12-30T10:00:00Z',
    'Sat 2011-12-31 00:00',
  ],
])('in %s clocks change %s', (timeZone, _when, before, shownBefore, after, shownAfter) => {
  expect(at(timeZone, before)).toBe(shownBefore)
  expect(at(timeZone, after)).toBe(shownAfter)
  // Also when the offset that is known is that of the other side.
  expect(at(timeZone, before)).toBe(shownBefore)
})

test('zones without changes, and with offsets of minutes', () => {
  expect(at('UTC', '2026-11-16T12:10:00Z')).toBe('Mon 2026-11-16 12:10')
  expect(at('Asia/Kathmandu', '2026-11-16T18:15:00Z')).toBe('Tue 2026-11-17 00:00')
  expect(at('Asia/Tokyo', '1950-07-01T00:00:00Z')).toBe('Sat 1950-07-01 10:00')
})

test('names in any case, old names and abbreviations', () => {
  for (const name of ['europe/berlin', 'Asia/Calcutta', 'US/Pacific', 'PST', 'EST', 'Etc/GMT+5']) {
    expect(new ZonedClock(name).localMs(0), name).not.toBeNaN()
  }
})

test('shows what Intl shows, for any order of times in any zone', () => {
  const formatters = Intl.supportedValuesOf('timeZone').map((timeZone) => ({
    clock: zonedClock(timeZone),
    formatter: new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  }))
  const time = fc.integer({ min: Date.parse('1900-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') })
  fc.assert(
    fc.property(fc.constantFrom(...formatters), time, ({ clock, formatter }, atMs) => {
      const parts = Object.fromEntries(formatter.formatToParts(atMs).map(({ type, value }) => [type, value]))
      const { weekday, year, month, day, hour, minute } = parts
      expect(show(clock, atMs)).toBe(`${weekday} ${year}-${month}-${day} ${hour}:${minute}`)
    }),
    { numRuns: 2000 },
  )
})

test('a day begins at its first moment, also where the clocks skip midnight', () => {
  const begins = (timeZone: string, date: string) =>
    new Date(zonedClock(timeZone).startOfDay(parseDay(date))).toISOString()
  expect(begins('Europe/Berlin', '2026-11-16')).toBe('2026-11-15T23:00:00.000Z')
  expect(begins('Africa/Cairo', '2026-04-24')).toBe('2026-04-23T22:00:00.000Z')
  expect(begins('Pacific/Apia', '2011-12-31')).toBe('2011-12-30T10:00:00.000Z')
})

test('a day ends when it does not come back', () => {
  const ends = (timeZone: string, date: string) => new Date(zonedClock(timeZone).endOfDay(parseDay(date))).toISOString()
  expect(ends('Europe/Berlin', '2026-11-16')).toBe('2026-11-16T23:00:00.000Z')
  expect(ends('Asia/Beirut', '2026-10-24')).toBe('2026-10-24T22:00:00.000Z')
  // At a minute past midnight, the clocks went back by an hour.
  expect(ends('America/St_Johns', '2010-11-06')).toBe('2010-11-07T03:30:00.000Z')
})

test('days before 1970 and leap days', () => {
  for (const date of ['1969-12-31', '1970-01-01', '2024-02-29', '0001-01-01', '9999-12-31']) {
    expect(formatDay(parseDay(date))).toBe(date)
  }
  expect(WEEKDAYS[weekdayOf(parseDay('1969-12-31'))]).toBe('Wed')
  expect(WEEKDAYS[weekdayOf(parseDay('1900-01-01'))]).toBe('Mon')
})
