import { describe, expect, test } from 'vitest'
import type { StoredRules } from './compile.ts'
import type { Condition, ImaginedScan } from './contract.ts'
import { explain } from './explain.ts'
import { factsOf } from './imagined-scan.ts'

const lunch = { id: 'lunch', name: 'Lunch menu', active: true, then: { destination: 'lunch' } }
const noon = '2026-11-16T12:10:00+01:00'

const explainRules = (rules: StoredRules<string>['rules'], scan: ImaginedScan = {}, reasons = {}) =>
  explain(
    { version: 1, timeZone: 'Europe/Berlin', rules },
    factsOf({ at: noon, ...scan }, { atMs: 0, salt: '' }),
    reasons,
  )
const explainOne = (when: Condition, scan: ImaginedScan = {}, reasons = {}) =>
  explainRules([{ ...lunch, when }], scan, reasons)
const noSource = { country: 'this installation has no source for countries' }

describe('the sentence', () => {
  const weekdays: Condition = { weekday: ['mon', 'tue', 'wed'], from: '11:00', to: '14:30' }

  test.each<[Condition, ImaginedScan, string]>([
    [weekdays, {}, 'It was 12:10 in Berlin on Monday, so *Lunch menu* matched.'],
    [
      { all: [weekdays, { not: { language: ['en'] } }] },
      { language: 'de' },
      'It was 12:10 in Berlin on Monday and the browser preferred German (de) to other languages, so *Lunch menu* matched.',
    ],
    [
      weekdays,
      { at: '2026-11-16T15:00:00+01:00' },
      'It was 15:00 in Berlin on Monday, so the only active rule did not match.',
    ],
    [{ country: ['DE'] }, { country: 'AT' }, 'The visitor was in Austria (AT), so the only active rule did not match.'],
    [
      { country: ['DE'] },
      {},
      'The country is unknown, because this installation has no source for countries, so the only active rule did not match.',
    ],
    [{}, {}, '*Lunch menu* always matches.'],
    [
      { any: [weekdays, { device: ['tablet'] }] },
      { device: 'mobile' },
      'It was 12:10 in Berlin on Monday, so *Lunch menu* matched.',
    ],
  ])('of %j with %j', (when, scan, sentence) => {
    expect(explainOne(when, scan, noSource).sentence).toBe(sentence)
  })

  test('names the facts that decided about all rules, if none matched', () => {
    const rules = [
      { ...lunch, when: weekdays },
      { ...lunch, id: 'at', name: 'Austria', when: { country: ['AT'] } },
      { ...lunch, id: 'off', name: 'Off', when: {}, active: false },
    ]
    const { reason, sentence, decision } = explainRules(rules, { at: '2026-11-19T12:10:00+01:00', country: 'DE' })
    expect({ reason, decision }).toEqual({ reason: 'default', decision: undefined })
    expect(sentence).toBe(
      'It was 12:10 in Berlin on Thursday and the visitor was in Germany (DE), so none of the 2 active rules matched.',
    )
    expect(explainRules([]).sentence).toBe('There is no active rule.')
  })

  test('is short when many facts decided', () => {
    const keys = Array.from({ length: 6 }, (_, n) => ({ query: { key: `q${n}`, exists: true } }))
    expect(explainOne({ all: keys }).sentence).toBe('The only active rule did not match.')
    expect(explainOne({ not: { any: keys } }).sentence).toBe('*Lunch menu* matched.')
  })

  test('of a split says which variant the visitor got, and how many others do', () => {
    const variant = (key: string, weight: number) => ({ key, weight, destination: key })
    const rule = { ...lunch, when: {}, then: { split: [variant('none', 0), variant('a', 2), variant('b', 1)] } }
    const known = explainRules([rule], { visitor: 'somebody' })
    expect(known.reason).toBe('split')
    const share = known.decision?.variant === 'a' ? '66.7%' : '33.3%'
    expect(known.sentence).toBe(
      `*Lunch menu* always matches. The visitor got variant ${known.decision?.variant}, as ${share} of all visitors do.`,
    )
    expect(explainRules([rule]).sentence).toBe(
      '*Lunch menu* always matches. The visitor is unknown, so the first variant was used, which is a.',
    )
  })
})

test('every rule has a step, also those that were not tried', () => {
  const rules = [
    { ...lunch, id: 'off', name: 'Off', active: false, when: {} },
    { ...lunch, id: 'at', name: 'Austria', when: { country: ['AT'] } },
    { ...lunch, when: { via: ['print'] } },
    { ...lunch, id: 'late', name: 'Late', when: {} },
    { ...lunch, id: 'late-off', name: 'Late off', active: false, when: {} },
  ]
  const { steps } = explainRules(rules)
  expect(steps.map(({ rule_id, result, sentence }) => [rule_id, result, sentence])).toEqual([
    ['off', 'off', '*Off* is turned off.'],
    ['at', 'unknown', 'The country is unknown, so *Austria* did not match.'],
    ['lunch', 'true', 'The scan came via print, so *Lunch menu* matched.'],
    ['late', 'not_tried', '*Late* was not tried, because *Lunch menu* matched before.'],
    ['late-off', 'off', '*Late off* is turned off.'],
  ])
  expect(steps.map(({ conditions }) => conditions.length)).toEqual([0, 1, 1, 0, 0])
})

test('every condition has its place, what it saw, and a sentence', () => {
  const when: Condition = {
    any: [{ to: '09:00' }, { not: { all: [{ device: ['mobile'] }, { country: ['DE', 'AT'] }] } }],
    query: { key: 'table', exists: true },
  }
  const [step] = explainOne(when, { device: 'mobile', query: { table: '7' } }, noSource).steps
  expect(step?.result).toBe('unknown')
  expect(step?.conditions).toEqual([
    {
      condition: 'when.query',
      kind: 'query',
      result: 'true',
      saw: '7',
      sentence: 'The address had table=7, and the condition asks for any table.',
    },
    {
      condition: 'when.any[0].to',
      kind: 'time',
      result: 'false',
      saw: 'Monday 12:10',
      sentence: 'It was 12:10 in Berlin on Monday, but the condition asks for 00:00 to 09:00.',
    },
    {
      condition: 'when.any[1].not.all[0].device',
      kind: 'device',
      result: 'true',
      saw: 'mobile',
      sentence: 'The visitor used a phone, and the condition asks for a phone.',
    },
    {
      condition: 'when.any[1].not.all[1].country',
      kind: 'country',
      result: 'unknown',
      saw: null,
      sentence: 'The country is unknown, because this installation has no source for countries.',
    },
  ])
})

test.each<[Condition, ImaginedScan, string]>([
  [
    { os: ['iOS', 'Android'] },
    { os: 'Windows' },
    'The operating system was Windows, but the condition asks for iOS or Android.',
  ],
  [{ os: ['iOS'] }, {}, 'The operating system is unknown.'],
  [{ device: ['tablet'] }, {}, 'The device is unknown.'],
  [{ language: ['de', 'pt-BR'] }, {}, 'The language is unknown.'],
  [
    { language: ['de', 'pt-BR'] },
    { language: 'iw' },
    'The browser preferred Hebrew (he) to other languages, but the condition asks for German (de) or Brazilian Portuguese (pt-BR).',
  ],
  [
    { region: ['Bavaria'] },
    { region: 'Tyrol' },
    'The visitor was in the region Tyrol, but the condition asks for Bavaria.',
  ],
  [{ region: ['Bavaria'] }, {}, 'The region is unknown.'],
  [{ weekday: ['sat', 'sun'] }, {}, 'It was 12:10 in Berlin on Monday, but the condition asks for Saturday or Sunday.'],
  [
    { weekday: ['fri'], from: '22:00', to: '02:00' },
    { at: '2026-11-21T01:30:00+01:00' },
    'It was 01:30 in Berlin on Saturday, still in the window of Friday, and the condition asks for Friday from 22:00 to 02:00 of the next day.',
  ],
  [{ from: '22:00', to: '00:00' }, {}, 'It was 12:10 in Berlin on Monday, but the condition asks for 22:00 to 00:00.'],
  [
    { date: { from: '2026-12-24', until: '2026-12-26' } },
    {},
    'It was 16 November 2026 in Berlin, but the condition asks for a time from 24 December 2026 until 26 December 2026.',
  ],
  [
    { date: { until: '2026-11-16T12:00:00+01:00' } },
    {},
    'It was 12:10 on 16 November 2026 in Berlin, but the condition asks for a time before 2026-11-16T12:00:00+01:00.',
  ],
  [{ query: { key: 'table', is: '7' } }, {}, 'The address had no table, but the condition asks for table=7.'],
  [{ query: { key: 'table', exists: false } }, {}, 'The address had no table, and the condition asks for no table.'],
  [
    { scan_number: { of: 'code', to: 100 } },
    { scan_number: 101 },
    'It was scan 101 of the code, but the condition asks for one of the first 100.',
  ],
  [
    { scan_number: { of: 'object', from: 2, to: 3 } },
    { scan_number: 2 },
    'It was scan 2 of the object, and the condition asks for scan 2 to 3.',
  ],
  [
    { scan_number: { of: 'code', from: 2 } },
    { scan_number: 1 },
    'It was scan 1 of the code, but the condition asks for scan 2 or later.',
  ],
  [{ scan_number: { of: 'code', from: 2 } }, {}, 'The number of the scan of the code is unknown.'],
  [{ lot: ['L1'] }, { lot: 'L2' }, 'The lot was L2, but the condition asks for L1.'],
  [{ lot: ['L1'] }, {}, 'The address had no lot, but the condition asks for L1.'],
  [{ serial: ['S1'] }, { serial: 'S1' }, 'The serial number was S1, and the condition asks for S1.'],
  [
    { property: { key: 'material', is: 'Oak' } },
    { properties: { material: 'Pine' } },
    'The property material was Pine, but the condition asks for Oak.',
  ],
  [
    { property: { key: 'material', is: 'Oak' } },
    { properties: {} },
    'There was no property material, but the condition asks for Oak.',
  ],
  [{ property: { key: 'material', is: 'Oak' } }, {}, 'The property material is unknown.'],
  [{ domain: ['acme.com'] }, {}, 'The address had no custom domain, but the condition asks for acme.com.'],
  [{ domain: ['acme.com'] }, { domain: 'acme.com' }, 'The domain was acme.com, and the condition asks for acme.com.'],
  [
    { via: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    { via: 'nfc' },
    'The scan came via nfc, but the condition asks for a, b, c, d, e or one of 2 others.',
  ],
])('%j with %j has the sentence %s', (when, scan, sentence) => {
  expect(explainOne(when, scan).steps[0]?.conditions[0]?.sentence).toBe(sentence)
})

test('a long value is cut', () => {
  const long = 'x'.repeat(2000)
  const [step] = explainOne({ query: { key: 'q', is: long } }, { query: { q: long } }).steps
  expect(step?.conditions[0]?.saw).toBe(`${'x'.repeat(100)}…`)
  expect(step?.result).toBe('true')
})
