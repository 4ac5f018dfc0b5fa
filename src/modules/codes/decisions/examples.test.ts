import { expect, test } from 'vitest'
import type { RuleExample } from './contract.ts'
import { failedExamples } from './examples.ts'
import { factsOf } from './imagined-scan.ts'

const RULES = {
  version: 1,
  timeZone: 'Europe/Berlin',
  rules: [
    { id: 'lunch', name: 'Lunch', active: true, when: { from: '11:00', to: '14:30' }, then: { destination: 'lunch' } },
    {
      id: 'oak',
      name: 'Oak',
      active: true,
      when: { property: { key: 'material', is: 'Oak' } },
      then: { destination: 'oak' },
    },
  ],
}
const NOON = '2026-11-16T12:10:00+01:00'
const EVENING = '2026-11-16T20:00:00+01:00'
const KNOWN = { atMs: Date.parse(EVENING), salt: 'salt' }

const example = (at: string, expected: string | null): RuleExample => ({
  name: 'Example',
  facts: { at },
  expect: expected,
})

test('examples that come out as they expect do not fail', () => {
  const examples = [example(NOON, 'lunch'), example(EVENING, null), { name: 'Now', facts: {}, expect: null }]
  expect(failedExamples(RULES, examples, KNOWN)).toEqual([])
})

test('one that fails says what it got instead, and why', () => {
  const examples = [example(NOON, 'lunch'), example(EVENING, 'lunch'), example(NOON, null), example(NOON, 'dinner')]
  const failed = failedExamples(RULES, examples, KNOWN)
  expect(failed.map(({ index, got }) => [index, got])).toEqual([
    [1, null],
    [2, 'lunch'],
    [3, 'lunch'],
  ])
  expect(failed[1]?.explanation.sentence).toBe('It was 12:10 in Berlin on Monday, so *Lunch* matched.')
})

test('properties are those of the scanned thing, unless the example has its own', () => {
  const property = (key: string) => (key === 'material' ? 'Oak' : null)
  expect(failedExamples(RULES, [example(EVENING, 'oak')], { ...KNOWN, property })).toEqual([])
  const own = { ...example(EVENING, null), facts: { at: EVENING, properties: { material: 'Pine' } } }
  expect(failedExamples(RULES, [own], { ...KNOWN, property })).toEqual([])
})

test('what an imagined scan leaves out is unknown or absent', () => {
  const { scanNumber, property, ...facts } = factsOf({}, KNOWN)
  expect(facts).toEqual({
    ...KNOWN,
    device: null,
    os: null,
    acceptLanguage: undefined,
    country: null,
    region: null,
    query: {},
    via: 'print',
    domain: null,
    lot: null,
    serial: null,
    visitor: undefined,
  })
  expect([scanNumber('code'), scanNumber('object'), property('material')]).toEqual([undefined, undefined, undefined])
})
