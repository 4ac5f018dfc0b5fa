import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules, type StoredRules } from './compile.ts'
import type { Condition, ImaginedScan } from './contract.ts'
import { explain } from './explain.ts'
import { factsOf } from './imagined-scan.ts'
import { documents, facts } from './testing/arbitraries.ts'
import { decideNaively } from './testing/naive.ts'

const rules = (...conditions: Condition[]): StoredRules<string> => ({
  version: 1,
  timeZone: 'Europe/Berlin',
  rules: conditions.map((when, at) => ({
    id: `r${at}`,
    name: `Rule ${at}`,
    active: true,
    when,
    then: { destination: `d${at}` },
  })),
})

/** A Monday, at 12:10 in Berlin. */
const NOON = Date.parse('2026-11-16T12:10:00+01:00')
const scan = (sent: ImaginedScan = {}) => factsOf(sent, { atMs: NOON, salt: 'salt' })
const matches = (when: Condition, sent?: ImaginedScan) => compileRules(rules(when)).decide(scan(sent)) !== undefined

test('decides as a naive evaluator does, and explains the same decision', () => {
  fc.assert(
    fc.property(documents(fc.string()), facts, (document, known) => {
      const decision = compileRules(document).decide(known)
      expect(decision).toEqual(decideNaively(document, known))
      const { steps, reason, ...explained } = explain(document, known)
      expect(explained.decision).toEqual(decision)
      const found = steps.find(({ result }) => result === 'true')
      expect(found?.rule_id).toBe(decision?.ruleId)
      expect(reason).toBe(decision === undefined ? 'default' : decision.variant === null ? 'rule' : 'split')
    }),
    { numRuns: 500 },
  )
})

test('the first active rule that matches decides', () => {
  const document = rules({ device: ['tablet'] }, {}, {})
  expect(compileRules(document).decide(scan({ device: 'tablet' }))).toEqual({
    ruleId: 'r0',
    variant: null,
    destination: 'd0',
  })
  expect(compileRules(document).decide(scan({ device: 'mobile' }))?.ruleId).toBe('r1')
  const [first, second, third] = document.rules
  const off = { ...document, rules: [first!, { ...second!, active: false }, third!] }
  expect(compileRules(off).decide(scan({ device: 'mobile' }))?.ruleId).toBe('r2')
  expect(compileRules(rules()).decide(scan())).toBeUndefined()
})

test('a condition with several keys needs all of them', () => {
  const when: Condition = { device: ['mobile'], os: ['iOS'], any: [{ via: ['nfc'] }, { language: ['de'] }] }
  expect(matches(when, { device: 'mobile', os: 'iOS', via: 'nfc' })).toBe(true)
  expect(matches(when, { device: 'mobile', os: 'Android', via: 'nfc' })).toBe(false)
  expect(matches(when, { device: 'mobile', os: 'iOS' })).toBe(false)
})

describe('what is unknown', () => {
  const unknown: Condition[] = [
    { device: ['mobile'] },
    { os: ['iOS'] },
    { language: ['de'] },
    { country: ['DE'] },
    { region: ['Bavaria'] },
    { scan_number: { of: 'code', from: 1 } },
    { property: { key: 'material', is: 'Oak' } },
  ]

  test.each(unknown)('is neither true nor false: %j', (condition) => {
    expect(matches(condition)).toBe(false)
    expect(matches({ not: condition })).toBe(false)
    expect(matches({ not: { not: condition } })).toBe(false)
  })

  test.each(unknown)('does not matter if something else decides: %j', (condition) => {
    expect(matches({ any: [condition, {}] })).toBe(true)
    expect(matches({ not: { all: [condition, { via: ['nfc'] }] } })).toBe(true)
    expect(matches({ any: [condition, { via: ['nfc'] }] })).toBe(false)
  })

  test('is the language of a browser that says nothing', () => {
    for (const language of ['*', 'de;q=0', '!']) {
      expect(matches({ not: { language: ['en'] } }, { language }), language).toBe(false)
    }
  })
})

test.each<Condition>([
  { query: { key: 'table', is: '7' } },
  { query: { key: 'table', exists: true } },
  { domain: ['menu.acme.com'] },
  { lot: ['L1'] },
  { serial: ['S1'] },
  { via: ['nfc'] },
])('what the address does not have is known to be absent: %j', (condition) => {
  expect(matches(condition)).toBe(false)
  expect(matches({ not: condition })).toBe(true)
})

test('a property that the scanned thing does not have is known to be absent', () => {
  expect(matches({ not: { property: { key: 'material', is: 'Oak' } } }, { properties: { colour: 'red' } })).toBe(true)
  expect(matches({ property: { key: 'toString', is: 'Oak' } }, { properties: {} })).toBe(false)
  expect(matches({ query: { key: 'toString', exists: true } })).toBe(false)
})

test.each([
  ['de', 'de-AT,de;q=0.9', true],
  ['de-AT', 'de-AT,de;q=0.9', true],
  ['de-AT', 'de', false],
  ['de-AT', 'de-DE', false],
  ['en', 'de-AT,en;q=0.9', false],
  ['en', 'de;q=0.5,en-GB;q=0.8', true],
  ['no', 'nb-NO', true],
  ['zh-Hant', 'zh-TW', true],
  ['zh-Hant', 'zh-CN', false],
  ['he', 'iw-IL', true],
])('language %s with a browser that sends %s: %s', (tag, language, expected) => {
  expect(matches({ language: [tag] }, { language })).toBe(expected)
})

test('names of systems and regions are compared in any case, other values exactly', () => {
  expect(matches({ os: ['ios'], region: ['BAVARIA'] }, { os: 'iOS', region: 'Bavaria' })).toBe(true)
  expect(matches({ lot: ['l1'] }, { lot: 'L1' })).toBe(false)
  expect(matches({ via: ['NFC'] }, { via: 'nfc' })).toBe(false)
  expect(matches({ query: { key: 'table', is: 'a' } }, { query: { table: 'A' } })).toBe(false)
})

test('a television is no phone, tablet or computer', () => {
  expect(matches({ not: { device: ['mobile', 'tablet', 'desktop'] } }, { device: 'tv' })).toBe(true)
})

test('numbers of scans are counted from 1, and both ends belong to a range', () => {
  const first = (number: number, range: { from?: number; to?: number }) =>
    matches({ scan_number: { of: 'code', ...range } }, { scan_number: number })
  expect([first(100, { to: 100 }), first(101, { to: 100 })]).toEqual([true, false])
  expect([first(1, { from: 2 }), first(2, { from: 2 })]).toEqual([false, true])
  const known = { ...scan(), scanNumber: (of: 'code' | 'object') => (of === 'code' ? 1 : 7) }
  expect(compileRules(rules({ scan_number: { of: 'object', from: 7, to: 7 } })).decide(known)).toBeDefined()
})

test('says which facts the active rules need', () => {
  const needs = (...conditions: Condition[]) => {
    const { usesScanNumber, usesProperties, usesSplit } = compileRules(rules(...conditions))
    return { ...usesScanNumber, usesProperties, usesSplit }
  }
  const none = { code: false, object: false, usesProperties: false, usesSplit: false }
  expect(needs({}, { country: ['DE'] })).toEqual(none)
  expect(needs({ any: [{ not: { scan_number: { of: 'object', to: 3 } } }] })).toEqual({ ...none, object: true })
  expect(needs({ all: [{ property: { key: 'a', is: 'b' } }, { scan_number: { of: 'code', to: 3 } }] })).toEqual({
    ...none,
    code: true,
    usesProperties: true,
  })
  const [rule] = rules({ scan_number: { of: 'code', to: 3 } }).rules
  const off = compileRules({ ...rules(), rules: [{ ...rule!, active: false }] })
  expect(off.usesScanNumber.code).toBe(false)
})

test('facts that cost something are asked for only if nothing cheaper decides', () => {
  const asked: string[] = []
  const known = {
    ...scan({ device: 'tablet' }),
    scanNumber: (of: string) => void asked.push(of),
    property: (key: string) => void asked.push(key),
  }
  const when: Condition = {
    property: { key: 'material', is: 'Oak' },
    scan_number: { of: 'code', to: 3 },
    device: ['mobile'],
  }
  compileRules(rules(when, {}, { property: { key: 'never', is: '' } })).decide(known)
  expect(asked).toEqual([])
})
