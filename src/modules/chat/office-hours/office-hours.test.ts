import { describe, expect, test } from 'vitest'
import { OfficeHours } from './contract.ts'
import { isOpen } from './service.ts'

const HOURS: OfficeHours = {
  time_zone: 'Europe/Berlin',
  days: {
    monday: [
      { from: '09:00', to: '12:30' },
      { from: '13:30', to: '17:00' },
    ],
    saturday: [{ from: '22:00', to: '24:00' }],
    sunday: [{ from: '00:00', to: '02:00' }],
  },
}

describe('people answer within the office hours', () => {
  // 2026-11-16 is a Monday, an hour ahead of UTC.
  test.each([
    ['before the first range', '2026-11-16T07:59:59Z', false],
    ['at its first minute', '2026-11-16T08:00:00Z', true],
    ['in its last minute', '2026-11-16T11:29:59Z', true],
    ['at its end', '2026-11-16T11:30:00Z', false],
    ['in the second range', '2026-11-16T15:59:00Z', true],
    ['after it', '2026-11-16T16:00:00Z', false],
    ['on a day without ranges', '2026-11-17T10:00:00Z', false],
    ['before midnight', '2026-11-21T22:59:59Z', true],
    ['after midnight', '2026-11-21T23:00:00Z', true],
    ['two hours after midnight', '2026-11-22T01:00:00Z', false],
    ['in summer, two hours ahead of UTC', '2026-07-06T07:00:00Z', true],
    ['an hour earlier in summer', '2026-07-06T06:59:59Z', false],
  ])('%s', (_when, now, expected) => {
    expect(isOpen(HOURS, Date.parse(now))).toBe(expected)
  })

  test('an hour that the clocks repeat belongs to the office hours twice, and one that they skip never comes', () => {
    const night = { time_zone: 'Europe/Berlin', days: { sunday: [{ from: '02:00', to: '03:00' }] } }
    const openIn = (day: string) =>
      ['00:30', '01:30', '02:30'].filter((time) => isOpen(night, Date.parse(`${day}T${time}:00Z`)))
    expect(openIn('2026-10-25')).toEqual(['00:30', '01:30'])
    expect(openIn('2026-03-29')).toEqual([])
  })

  test('always, without office hours; never, with no days', () => {
    expect(isOpen(null, 0)).toBe(true)
    expect(isOpen({ time_zone: 'UTC', days: {} }, 0)).toBe(false)
  })

  test('in time zones with quarters of an hour and on the other side of the date line', () => {
    const at = (time_zone: string) => ({ time_zone, days: { friday: [{ from: '00:00', to: '00:15' }] } })
    expect(isOpen(at('Asia/Kathmandu'), Date.parse('2026-11-19T18:15:00Z'))).toBe(true)
    expect(isOpen(at('Pacific/Kiritimati'), Date.parse('2026-11-19T10:00:00Z'))).toBe(true)
    expect(isOpen(at('Pacific/Pago_Pago'), Date.parse('2026-11-20T11:14:00Z'))).toBe(true)
  })
})

describe('office hours', () => {
  const parse = (monday: object[], more: object = {}) =>
    OfficeHours.safeParse({ time_zone: 'Europe/Berlin', days: { monday }, ...more }).success
  const [morning, noon] = [
    { from: '09:00', to: '12:00' },
    { from: '12:00', to: '13:00' },
  ]

  test('have ranges in order that do not overlap', () => {
    expect(parse([])).toBe(true)
    expect(parse([morning, noon])).toBe(true)
    expect(parse([noon, morning])).toBe(false)
    expect(parse([morning, { from: '11:59', to: '14:00' }])).toBe(false)
    expect(parse([{ from: '09:00', to: '09:00' }])).toBe(false)
    expect(parse([{ from: '22:00', to: '02:00' }])).toBe(false)
    expect(parse(Array.from({ length: 6 }, (_, n) => ({ from: `0${n}:00`, to: `0${n}:30` })))).toBe(false)
  })

  test('have times of a day, and a time zone that knows when clocks change', () => {
    for (const from of ['9:00', '24:00', '09:60', '09.00', '', '09:00:00', '０９:00']) {
      expect(parse([{ from, to: '24:00' }]), from).toBe(false)
    }
    expect(parse([{ from: '00:00', to: '24:00' }])).toBe(true)
    expect(parse([{ from: '00:00', to: '24:01' }])).toBe(false)
    for (const time_zone of ['+01:00', 'Berlin', '', 'Europe/Berlin ', 'x'.repeat(65)]) {
      expect(parse([], { time_zone }), time_zone).toBe(false)
    }
    expect(parse([], { closed: true })).toBe(false)
    expect(OfficeHours.safeParse({ time_zone: 'UTC', days: { someday: [] } }).success).toBe(false)
  })
})
