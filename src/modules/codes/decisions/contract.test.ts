import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Components } from '../../../platform/contract/openapi/components.ts'
import type { Json } from '../../../platform/contract/openapi/json.ts'
import { describePayload } from '../../../platform/contract/openapi/payload.ts'
import { toSchema } from '../../../platform/contract/openapi/schemas.ts'
import { NestedCondition } from './conditions/contract.ts'
import { Condition, ImaginedScan, RuleExamples, rulesOf } from './contract.ts'
import { conditions, documents, imaginedScans } from './testing/arbitraries.ts'

const problemsOf = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
const accepts = (condition: unknown) => NestedCondition.safeParse(condition).success

describe('a condition', () => {
  test.each([
    [{}],
    [{ device: ['mobile', 'tablet'], os: ['iOS'], country: ['DE'] }],
    [{ date: { from: '2026-11-16', until: '2026-11-16T12:00:00+01:00' } }],
    [{ weekday: ['mon'], from: '22:00', to: '02:00' }],
    [{ from: '22:00', to: '24:00' }],
    [{ from: '22:00', to: '00:00' }],
    [{ from: '22:00' }],
    [{ to: '02:00' }],
    [{ query: { key: 'table', is: '' } }],
    [{ query: { key: 'table', exists: false } }],
    [{ scan_number: { of: 'object', to: 100 } }],
    [{ property: { key: 'material', is: 'Oak' }, via: ['nfc'], domain: ['acme.com'], lot: ['L1'], serial: ['S1'] }],
    [{ all: [{ any: [{ not: { all: [{ via: ['nfc'] }] } }] }] }],
  ])('can be %j', (condition) => {
    expect(problemsOf(NestedCondition, condition)).toEqual([])
  })

  test.each([
    [[]],
    [null],
    ['lunch'],
    [{ os: [] }],
    [{ all: [] }],
    [{ device: ['tv'] }],
    [{ device: 'mobile' }],
    [{ language: ['english'] }],
    [{ country: ['EU'] }],
    [{ region: [''] }],
    [{ os: ['x'.repeat(51)] }],
    [{ via: Array.from({ length: 101 }, (_, n) => `v${n}`) }],
    [{ date: {} }],
    [{ date: { from: '2026-02-30' } }],
    [{ date: { from: '2026-11-16T12:00:00' } }],
    [{ weekday: ['monday'] }],
    [{ from: '24:00' }],
    [{ from: '9:00' }],
    [{ to: '24:01' }],
    [{ query: { key: 'table' } }],
    [{ query: { key: 'table', is: '7', exists: true } }],
    [{ query: { key: 'table', matches: '.*' } }],
    [{ scan_number: { of: 'code' } }],
    [{ scan_number: { of: 'group', from: 1 } }],
    [{ scan_number: { of: 'code', from: 0 } }],
    [{ property: { key: 'material' } }],
    [{ domain: ['https://acme.com'] }],
    [{ lot: ['x'.repeat(21)] }],
    [{ weather: ['sunny'] }],
    [{ not: [{}] }],
  ])('cannot be %j', (condition) => {
    expect(accepts(condition)).toBe(false)
  })

  test('has its values in the form in which facts have them', () => {
    const sent = { country: ['uk'], domain: ['Menu.Acme.COM'], language: ['DE-at', 'iw'] }
    expect(NestedCondition.parse(sent)).toEqual({
      country: ['GB'],
      domain: ['menu.acme.com'],
      language: ['de-AT', 'he'],
    })
  })

  test('has no window that begins when it ends', () => {
    const problem =
      'to: Must not be the same as from, because the window would be empty. For the whole day, leave out both'
    expect(problemsOf(NestedCondition, { from: '09:00', to: '09:00' })).toEqual([problem])
    expect(problemsOf(NestedCondition, { to: '00:00' })).toEqual([problem])
    expect(problemsOf(NestedCondition, { any: [{ from: '00:00', to: '00:00' }] })).toEqual([`any.0.${problem}`])
  })

  test('is nested at most four deep, and refused at any depth', () => {
    const nest = (depth: number) => JSON.parse(`${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`)
    expect(accepts(nest(4))).toBe(true)
    for (const depth of [5, 100_000]) {
      expect(problemsOf(NestedCondition, nest(depth))).toEqual([': Must be nested at most 4 deep'])
    }
    expect(accepts({ all: [{}, { any: [{ all: [{ not: { not: {} } }] }] }] })).toBe(false)
    expect(accepts({ device: ['mobile'], all: { not: { not: { not: { not: { not: {} } } } } } })).toBe(false)
  })

  test('is never an exception, however wrong', () => {
    const wrong = fc.dictionary(
      fc.constantFrom('all', 'any', 'not', 'from', 'query', 'x'),
      fc.jsonValue({ maxDepth: 3 }),
    )
    fc.assert(
      fc.property(wrong, (value) => {
        expect([true, false]).toContain(accepts(value))
      }),
    )
  })
})

describe('rules', () => {
  const Rules = rulesOf(z.string())
  const rule = (changes: object = {}) => ({
    id: 'lunch',
    name: 'Lunch',
    when: {},
    then: { destination: 'a' },
    ...changes,
  })
  const variant = (key: string, weight: number) => ({ key, weight, destination: key })
  const split = (...variants: object[]) => rule({ then: { split: variants } })

  test('are active unless they say something else', () => {
    expect(Rules.parse([rule()])).toEqual([{ ...rule(), active: true }])
    expect(Rules.parse([rule({ active: false })])).toEqual([rule({ active: false })])
  })

  test('are at most 50, with different ids', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => rule({ id: `r${n}` }))
    expect(Rules.safeParse(many(50)).success).toBe(true)
    expect(Rules.safeParse(many(51)).success).toBe(false)
    expect(problemsOf(Rules, [rule(), rule()])).toEqual(['1.id: Is the id of an earlier one, too'])
  })

  test('have at most 500 conditions in all, with those inside of others', () => {
    const of = (count: number) =>
      rule({ id: `r${count}`, when: { any: Array.from({ length: count - 1 }, () => ({ via: ['nfc'] })) } })
    const withSum = (last: number) =>
      [of(100), of(99), of(98), of(97), of(96), of(last)].map((one, n) => ({ ...one, id: `r${n}` }))
    expect(problemsOf(Rules, withSum(10))).toEqual([])
    expect(problemsOf(Rules, withSum(11))).toEqual([': Must have at most 500 conditions in all, not 501'])
  })

  test('have either a destination or a split of 2 to 20 variants', () => {
    expect(problemsOf(Rules, [split(variant('a', 1), variant('b', 0))])).toEqual([])
    const both = rule({ then: { destination: 'a', split: [variant('a', 1), variant('b', 1)] } })
    for (const wrong of [both, rule({ then: {} })]) {
      expect(problemsOf(Rules, [wrong])).toEqual(['0.then: Must have either destination or split'])
    }
    const many = Array.from({ length: 21 }, (_, n) => variant(`v${n}`, 1))
    for (const wrong of [split(variant('a', 1)), split(...many)]) expect(Rules.safeParse([wrong]).success).toBe(false)
  })

  test('have weights from 0 to 1000, of which one is above 0, and different keys', () => {
    for (const weight of [-1, 1001, 0.5, '1', null]) {
      expect(Rules.safeParse([split({ ...variant('a', 1), weight }, variant('b', 1))]).success, String(weight)).toBe(
        false,
      )
    }
    expect(problemsOf(Rules, [split(variant('a', 0), variant('b', 0))])).toEqual([
      '0.then.split: Must have a weight above 0',
    ])
    expect(problemsOf(Rules, [split(variant('a', 1), variant('a', 1))])).toEqual([
      '0.then.split.1.key: Is the key of an earlier one, too',
    ])
  })

  test('have ids that can be stored with a scan', () => {
    for (const id of ['a', 'Lunch_menu-2', 'x'.repeat(50)]) expect(problemsOf(Rules, [rule({ id })])).toEqual([])
    for (const id of ['', '-a', 'a b', 'ä', 'x'.repeat(51)])
      expect(Rules.safeParse([rule({ id })]).success, id).toBe(false)
  })
})

test('random documents and scans of the tests are valid', () => {
  const Rules = rulesOf(z.string())
  fc.assert(
    fc.property(documents(fc.string()), conditions(), imaginedScans, ({ rules }, condition, scan) => {
      expect(problemsOf(Rules, rules)).toEqual([])
      expect(problemsOf(NestedCondition, condition)).toEqual([])
      expect(problemsOf(ImaginedScan, scan)).toEqual([])
    }),
  )
})

test('an example has a name, facts, and the id of a rule or null', () => {
  const example = { name: 'Monday noon', facts: { at: '2026-11-16T12:10:00+01:00', language: 'de' }, expect: 'lunch' }
  expect(problemsOf(RuleExamples, [example, { ...example, expect: null }])).toEqual([])
  expect(problemsOf(RuleExamples, [{ ...example, facts: { weather: 'sunny' } }])).not.toEqual([])
})

describe('OpenAPI describes conditions', () => {
  const document = z.strictObject({ rules: rulesOf(z.string()) })

  test.each(['input', 'output'] as const)('as one schema that refers to itself (%s)', (io) => {
    const components = new Components()
    const { properties } = toSchema(components, document, io) as { properties: { rules: { items: Json } } }
    const ref = { $ref: '#/components/schemas/Condition' }
    expect(properties.rules.items.properties).toMatchObject({ when: ref })
    const schema = components.schema('Condition') as { properties: Record<string, Json> }
    expect(schema.properties.not).toMatchObject(ref)
    expect(schema.properties.any).toMatchObject({ type: 'array', items: ref, minItems: 1 })
    const undescribed = Object.entries(schema.properties).filter(([, { description }]) => description === undefined)
    expect(undescribed).toEqual([])
    expect(JSON.stringify(components.toJson())).not.toContain('#/$defs')
  })

  test('with another name in requests, which are strict', () => {
    const components = new Components()
    toSchema(components, document, 'output')
    toSchema(components, document, 'input')
    const { properties, additionalProperties } = components.schema('ConditionInput') as {
      properties: Json
      additionalProperties: boolean
    }
    expect(additionalProperties).toBe(false)
    expect(properties.not).toMatchObject({ $ref: '#/components/schemas/ConditionInput' })
  })

  test('with an example that is valid', () => {
    const { sample } = describePayload(document)
    expect(problemsOf(document, sample)).toEqual([])
    expect(Condition.safeParse((sample.rules as { when: unknown }[])[0]?.when).success).toBe(true)
  })
})
