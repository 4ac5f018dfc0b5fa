import { expect, test } from 'vitest'
import { PRIMARY_KEYS } from './ai-table.ts'
import { findAi, isAiValue } from './ai-values.ts'

test('resolves the keys that brands print', () => {
  expect(PRIMARY_KEYS).toEqual(['00', '01', '253', '255', '414', '8003', '8004', '8010', '8017', '8018'])
})

test('every qualifier of a primary key is in the table, and is no primary key', () => {
  const qualifiers = PRIMARY_KEYS.flatMap((key) => findAi(key)?.qualifiers?.flat() ?? [])
  for (const ai of qualifiers) expect(findAi(ai)).toMatchObject({ title: expect.any(String) })
  expect(qualifiers.filter((ai) => PRIMARY_KEYS.includes(ai))).toEqual([])
})

test.each([
  ['17', '261231'],
  ['17', '260200'],
  ['15', '240229'],
  ['4326', '261231'],
  ['7003', '2612312359'],
  ['3103', '001750'],
  ['3922', '1999'],
  ['4321', '1'],
  ['4330', '000100-'],
  ['7007', '261201261231'],
  ['8008', '26123123'],
  ['8011', '0'],
  ['02', '09506000134352'],
  ['402', '95060001343520000'],
  ['8030', 'aZ09_-='],
  ['99', '!"%&'],
])('(%s) accepts %s', (ai, value) => {
  expect(isAiValue(ai, value)).toBe(true)
})

test.each([
  ['17', '261301'],
  ['17', '260001'],
  ['17', '260230'],
  ['17', '250229'],
  ['17', '26123'],
  ['17', '2612311'],
  ['4326', '261200'],
  ['7003', '2612312460'],
  ['3103', '1.75'],
  ['3106', '001750'],
  ['4321', '2'],
  ['8011', '07'],
  ['02', '09506000134353'],
  ['402', '95060001343520002'],
  ['10', ''],
  ['10', 'A B'],
  ['10', 'é'],
  ['10', 'A\n'],
  ['21', '9'.repeat(21)],
  ['8010', '9506000a'],
  ['8004', '950A'],
  ['23', '1'],
  ['utm_source', 'x'],
  ['__proto__', 'x'],
])('(%s) rejects %j', (ai, value) => {
  expect(isAiValue(ai, value)).toBe(false)
})
