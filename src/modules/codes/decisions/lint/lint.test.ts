import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules, type StoredRule } from '../compile.ts'
import type { Condition } from '../conditions/contract.ts'
import { documents, facts } from '../testing/arbitraries.ts'
import { lintRules, rulesByKind } from './index.ts'

const NOW = Date.parse('2026-11-16T12:00:00+01:00')

const rule = (id: string, when: Condition, more: Partial<StoredRule<string>> = {}): StoredRule<string> => ({
  id,
  name: id,
  active: true,
  when,
  then: { destination: id },
  ...more,
})
const lint = (...rules: StoredRule<string>[]) =>
  lintRules({ timeZone: 'Europe/Berlin', rules }, NOW).map(({ code, rule_id, message }) => [code, rule_id, message])

describe('a rule that cannot be reached', () => {
  const lunch: Condition = { weekday: ['mon', 'tue'], from: '11:00', to: '14:30' }
  const message = (name: string, other: string, reason = 'matches whenever it would match') =>
    `*${name}* is never reached, because *${other}* is before it and ${reason}.`

  test('is one after a rule that always matches', () => {
    for (const always of [{}, { all: [{}] }, { any: [{ via: ['nfc'] }, {}] }]) {
      expect(lint(rule('a', { via: ['nfc'] }), rule('b', always), rule('c', lunch))).toEqual([
        ['unreachable', 'c', message('c', 'b', 'always matches')],
      ])
    }
  })

  test('is one with the same conditions as an earlier one, however they are written', () => {
    const same: Condition[] = [
      lunch,
      { to: '14:30', from: '11:00', weekday: ['tue', 'mon'] },
      { all: [lunch] },
      { all: [{ all: [lunch] }, {}] },
    ]
    for (const other of same)
      expect(lint(rule('a', lunch), rule('b', other))).toEqual([['unreachable', 'b', message('b', 'a')]])
    const any: Condition = { any: [{ country: ['DE', 'AT'] }, { not: { via: ['nfc'] } }] }
    const turned: Condition = { any: [{ not: { via: ['nfc'] } }, { country: ['AT', 'DE'] }] }
    expect(lint(rule('a', any), rule('b', turned))).toHaveLength(1)
  })

  test('is one that asks for more than an earlier one', () => {
    expect(lint(rule('a', lunch), rule('b', { ...lunch, country: ['DE'] }))).toHaveLength(1)
    expect(lint(rule('a', { ...lunch, country: ['DE'] }), rule('b', lunch))).toEqual([])
  })

  test('is none after a rule that is turned off, and not one that is turned off itself', () => {
    expect(lint(rule('a', {}, { active: false }), rule('b', {}))).toEqual([])
    expect(lint(rule('a', {}), rule('b', {}, { active: false }))).toEqual([])
  })
})

describe('a rule that never matches', () => {
  test.each<[Condition, string]>([
    [{ date: { from: '2026-12-02', until: '2026-12-01' } }, 'its date ends before it begins'],
    [{ date: { from: '2026-12-01T12:00:00Z', until: '2026-12-01T12:00:00Z' } }, 'its date ends before it begins'],
    [{ all: [{ date: { until: '2026-12-01' } }, { date: { from: '2026-12-02' } }] }, 'its dates exclude each other'],
    [{ all: [{ weekday: ['mon'] }, { weekday: ['tue'] }] }, 'its weekdays and times exclude each other'],
    [
      {
        all: [
          { weekday: ['mon'], from: '22:00', to: '02:00' },
          { weekday: ['tue'], from: '02:00' },
        ],
      },
      'its weekdays and times exclude each other',
    ],
    [{ country: ['DE'], all: [{ country: ['AT'] }] }, 'no country is in all of its lists'],
    [{ all: [{ device: ['mobile'] }, { device: ['tablet'] }] }, 'no device is in all of its lists'],
    [{ all: [{ lot: ['a', 'b'] }, { lot: ['b', 'c'] }, { lot: ['c', 'a'] }] }, 'no lot is in all of its lists'],
    [{ all: [{ language: ['de'] }, { language: ['en'] }] }, 'no language is in all of its lists'],
    [
      { all: [{ query: { key: 'a', is: '1' } }, { query: { key: 'a', is: '2' } }] },
      'it tests the parameter a for different values',
    ],
    [
      { all: [{ query: { key: 'a', is: '1' } }, { query: { key: 'a', exists: false } }] },
      'it tests the parameter a for different values',
    ],
    [
      { all: [{ property: { key: 'a', is: '1' } }, { property: { key: 'a', is: '2' } }] },
      'it tests the property a for different values',
    ],
    [{ scan_number: { of: 'code', from: 5, to: 4 } }, 'no scan has a number in all of its ranges'],
    [
      { all: [{ scan_number: { of: 'object', to: 4 } }, { scan_number: { of: 'object', from: 5 } }] },
      'no scan has a number in all of its ranges',
    ],
    [{ not: {} }, 'it excludes what it asks for'],
    [{ via: ['nfc'], country: ['DE'], not: { country: ['DE'] } }, 'it excludes what it asks for'],
    [{ all: [{ any: [{ not: {} }, { all: [{ via: ['a'] }, { via: ['b'] }] }] }] }, 'it excludes what it asks for'],
  ])('%j, because %s', (when, because) => {
    expect(lint(rule('a', when))).toEqual([['never_matches', 'a', `*a* never matches, because ${because}.`]])
  })

  test.each<Condition>([
    { date: { from: '2026-12-01', until: '2026-12-01' } },
    {
      all: [
        { weekday: ['mon'], from: '22:00', to: '02:00' },
        { weekday: ['tue'], to: '06:00' },
      ],
    },
    {
      all: [
        { weekday: ['sun'], from: '22:00', to: '02:00' },
        { weekday: ['mon'], to: '06:00' },
      ],
    },
    { all: [{ os: ['iOS'] }, { os: ['ios', 'Android'] }] },
    { all: [{ language: ['no'] }, { language: ['nb'] }] },
    { all: [{ language: ['zh-Hant'] }, { language: ['zh-TW'] }] },
    {
      all: [{ query: { key: 'a', is: '1' } }, { query: { key: 'a', exists: true } }, { query: { key: 'b', is: '2' } }],
    },
    { all: [{ scan_number: { of: 'code', to: 4 } }, { scan_number: { of: 'object', from: 5 } }] },
    { via: ['nfc'], not: { via: ['nfc'], country: ['DE'] } },
  ])('is not one that may match: %j', (when) => {
    expect(lint(rule('a', when))).toEqual([])
  })

  test('is over when its last day is', () => {
    const until = (bound: string) => lint(rule('a', { date: { until: bound } }))
    expect(until('2026-11-16')).toEqual([])
    expect(until('2026-11-16T12:00:00.001+01:00')).toEqual([])
    expect(until('2026-11-15')).toEqual([
      ['over', 'a', '*a* never matches, because its last day was 15 November 2026.'],
    ])
    expect(until('2026-11-16T12:00:00+01:00')).toHaveLength(1)
  })

  test('may have only a part that never holds', () => {
    const when: Condition = { any: [{ via: ['nfc'] }, { any: [{ date: { until: '2026-01-01' } }, { via: ['x'] }] }] }
    expect(lint(rule('a', when))).toEqual([
      ['over', 'a', 'A part of *a* never holds, because its last day was 1 January 2026.'],
    ])
  })

  test('does not match, with any facts', () => {
    fc.assert(
      fc.property(documents(fc.string()), facts, (document, known) => {
        const decision = compileRules(document).decide(known)
        const warnings = lintRules(document, known.atMs).filter(({ message }) => message.startsWith('*'))
        const never = warnings.filter(({ code }) => code !== 'weights').map(({ rule_id }) => rule_id)
        expect(never).not.toContain(decision?.ruleId)
      }),
      { numRuns: 500 },
    )
  })
})

test('weights that do not add up to 100 are named with their shares', () => {
  const split = (...weights: number[]) => ({
    then: { split: weights.map((weight, at) => ({ key: `v${at}`, weight, destination: 'x' })) },
  })
  expect(lint(rule('a', {}, split(70, 30)))).toEqual([])
  expect(lint(rule('a', {}, split(2, 1, 0)))).toEqual([
    [
      'weights',
      'a',
      'The weights of *a* add up to 3, not to 100. The shares are 66.7% for v0, 33.3% for v1 and 0% for v2.',
    ],
  ])
})

test('says which active rules need which facts', () => {
  const rules = [
    rule('a', { any: [{ country: ['DE'] }, { not: { country: ['AT'], device: ['mobile'] } }] }),
    rule('b', { from: '09:00', country: ['DE'] }),
    rule('c', { region: ['Bavaria'] }, { active: false }),
  ]
  expect(Object.fromEntries(rulesByKind(rules))).toEqual({ country: ['a', 'b'], device: ['a'], time: ['b'] })
})
