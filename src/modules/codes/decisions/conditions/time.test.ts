import { describe, expect, test } from 'vitest'
import { zonedClock } from '../../../../platform/clock/zoned-time.ts'
import { compileCondition } from '../compile.ts'
import { factsOf } from '../imagined-scan.ts'
import type { Condition } from './contract.ts'
import { TRUE } from './ternary.ts'

function holds(condition: Condition, at: string, timeZone = 'Europe/Berlin'): boolean {
  return compileCondition(condition, zonedClock(timeZone))(factsOf({ at }, { atMs: 0, salt: '' })) === TRUE
}

/** For how many hours after a time the condition holds, tried every quarter of an hour. */
const openHours = (condition: Condition, from: string, hours: number, timeZone?: string) =>
  Array.from({ length: hours * 4 }, (_, n) => new Date(Date.parse(from) + n * 900_000).toISOString()).filter((at) =>
    holds(condition, at, timeZone),
  ).length / 4

describe('a window', () => {
  // 2026-11-16 is a Monday, an hour ahead of UTC.
  test.each<[Condition, string, boolean]>([
    [{ from: '11:00', to: '14:30' }, '2026-11-16T10:59:59.999+01:00', false],
    [{ from: '11:00', to: '14:30' }, '2026-11-16T11:00:00+01:00', true],
    [{ from: '11:00', to: '14:30' }, '2026-11-16T14:29:59.999+01:00', true],
    [{ from: '11:00', to: '14:30' }, '2026-11-16T14:30:00+01:00', false],
    [{ weekday: ['mon'] }, '2026-11-15T23:59:59+01:00', false],
    [{ weekday: ['mon'] }, '2026-11-16T00:00:00+01:00', true],
    [{ weekday: ['mon'] }, '2026-11-16T23:59:59+01:00', true],
    [{ weekday: ['mon'], from: '22:00' }, '2026-11-16T23:59:59+01:00', true],
    [{ weekday: ['mon'], from: '22:00' }, '2026-11-17T00:00:00+01:00', false],
    [{ weekday: ['mon'], to: '06:00' }, '2026-11-16T00:00:00+01:00', true],
    [{ weekday: ['mon'], to: '06:00' }, '2026-11-16T06:00:00+01:00', false],
    [{ from: '00:00', to: '24:00' }, '2026-11-16T23:59:59+01:00', true],
    [{ weekday: ['fri'], from: '22:00', to: '02:00' }, '2026-11-20T21:59:59+01:00', false],
    [{ weekday: ['fri'], from: '22:00', to: '02:00' }, '2026-11-20T22:00:00+01:00', true],
    [{ weekday: ['fri'], from: '22:00', to: '02:00' }, '2026-11-21T01:59:59+01:00', true],
    [{ weekday: ['fri'], from: '22:00', to: '02:00' }, '2026-11-21T02:00:00+01:00', false],
    [{ weekday: ['fri'], from: '22:00', to: '02:00' }, '2026-11-20T01:00:00+01:00', false],
    [{ weekday: ['sun'], from: '22:00', to: '02:00' }, '2026-11-16T01:00:00+01:00', true],
    [{ weekday: ['fri'], from: '22:00', to: '00:00' }, '2026-11-20T23:59:59+01:00', true],
    [{ weekday: ['fri'], from: '22:00', to: '00:00' }, '2026-11-21T00:00:00+01:00', false],
  ])('%j at %s: %s', (condition, at, expected) => {
    expect(holds(condition, at)).toBe(expected)
  })

  test('has an hour more or less on a day on which the clocks change', () => {
    const sunday: Condition = { weekday: ['sun'] }
    expect(openHours(sunday, '2026-03-28T00:00:00Z', 72)).toBe(23)
    expect(openHours(sunday, '2026-10-24T00:00:00Z', 72)).toBe(25)
    expect(openHours(sunday, '2026-11-14T00:00:00Z', 72)).toBe(24)
  })

  test('is open twice in an hour that is repeated, and never in one that is skipped', () => {
    const night: Condition = { from: '02:00', to: '03:00' }
    expect(openHours(night, '2026-03-28T12:00:00Z', 24)).toBe(0)
    expect(openHours(night, '2026-10-24T12:00:00Z', 24)).toBe(2)
  })

  test.each<[timeZone: string, from: string, condition: Condition, hours: number]>([
    // Midnight is skipped, and the hour before it repeated.
    ['America/Sao_Paulo', '2018-11-03T12:00:00Z', { weekday: ['sat'], from: '23:00', to: '02:00' }, 2],
    ['America/Sao_Paulo', '2019-02-16T12:00:00Z', { weekday: ['sat'], from: '23:00', to: '02:00' }, 4],
    ['Africa/Cairo', '2026-04-23T12:00:00Z', { weekday: ['fri'], to: '02:00' }, 1],
    ['Asia/Beirut', '2026-10-24T12:00:00Z', { weekday: ['sat'], from: '23:00', to: '01:00' }, 3],
    // Half an hour is repeated.
    ['Australia/Lord_Howe', '2026-04-04T12:00:00Z', { weekday: ['sun'], from: '01:00', to: '02:00' }, 1.5],
    ['Asia/Kathmandu', '2026-11-16T12:00:00Z', { weekday: ['tue'], from: '00:00', to: '00:15' }, 0.25],
  ])('in %s, within a day from %s: %j is open %d hours', (timeZone, from, condition, hours) => {
    expect(openHours(condition, from, 24, timeZone)).toBe(hours)
  })

  test('is that of the time zone at the time of the scan, not of today', () => {
    // Moscow changed its clocks until 2011, and was four hours ahead of UTC until 2014.
    const noon: Condition = { from: '12:00', to: '13:00' }
    const open = ['2010-01-15T09:00:00Z', '2012-01-15T08:00:00Z', '2016-01-15T09:00:00Z']
    expect(open.filter((at) => holds(noon, at, 'Europe/Moscow'))).toEqual(open)
  })
})

describe('a date', () => {
  test.each<[NonNullable<Condition['date']>, string, boolean]>([
    [{ from: '2026-11-16' }, '2026-11-15T23:59:59+01:00', false],
    [{ from: '2026-11-16' }, '2026-11-16T00:00:00+01:00', true],
    [{ until: '2026-11-16' }, '2026-11-16T23:59:59.999+01:00', true],
    [{ until: '2026-11-16' }, '2026-11-17T00:00:00+01:00', false],
    [{ from: '2026-11-16', until: '2026-11-16' }, '2026-11-16T12:00:00+01:00', true],
    [{ from: '2026-11-16T12:00:00+01:00' }, '2026-11-16T10:59:59.999Z', false],
    [{ from: '2026-11-16T12:00:00+01:00' }, '2026-11-16T11:00:00Z', true],
    [{ until: '2026-11-16T12:00:00+01:00' }, '2026-11-16T10:59:59.999Z', true],
    [{ until: '2026-11-16T12:00:00+01:00' }, '2026-11-16T11:00:00Z', false],
    [{ from: '2026-11-16', until: '2026-11-16T12:00:00Z' }, '2026-11-16T11:00:00Z', true],
  ])('%j at %s: %s', (date, at, expected) => {
    expect(holds({ date }, at)).toBe(expected)
  })

  test.each([
    ['Europe/Berlin', '2026-11-16', 24],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Africa/Cairo', '2026-04-24', 23],
    ['Asia/Beirut', '2026-10-24', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Pacific/Apia', '2011-12-30', 0],
    ['Pacific/Apia', '2011-12-31', 24],
  ])('in %s, %s has %d hours', (timeZone, day, hours) => {
    const twoDaysBefore = new Date(Date.parse(day) - 2 * 86_400_000).toISOString()
    expect(openHours({ date: { from: day, until: day } }, twoDaysBefore, 5 * 24, timeZone)).toBe(hours)
  })
})
