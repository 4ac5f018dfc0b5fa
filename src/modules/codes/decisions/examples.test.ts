import { expect, test } from 'vitest'
import type { RuleExample } from './contract.ts'
import { findFailedExample } from './examples.ts'
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
  expect(findFailedExample(RULES, examples, KNOWN)).toBeUndefined()
})

test.each([
  [[example(NOON, 'lunch'), example(EVENING, 'lunch'), example(NOON, null)], 1, null],
  [[example(NOON, null), example(EVENING, 'lunch')], 0, 'lunch'],
  [[example(NOON, 'dinner')], 0, 'lunch'],
])('the first one that fails is returned, with what it got instead', (examples, index, got) => {
  expect(findFailedExample(RULES, examples, KNOWN)).toMatchObject({ index, example: examples[index], got })
})

test('one that fails says why', () => {
  const failed = findFailedExample(RULES, [example(NOON, null)], KNOWN)
  expect(failed?.explanation.sentence).toBe('It was 12:10 in Berlin on Monday, so *Lunch* matched.')
})

test('properties are those of the scanned thing, unless the example has its own', () => {
  const property = (key: string) => (key === 'material' ? 'Oak' : null)
  expect(findFailedExample(RULES, [example(EVENING, 'oak')], { ...KNOWN, property })).toBeUndefined()
  const own = { ...example(EVENING, null), facts: { at: EVENING, properties: { material: 'Pine' } } }
  expect(findFailedExample(RULES, [own], { ...KNOWN, property })).toBeUndefined()
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
