import { describe, expect, test } from 'vitest'
import { factsOf } from '../decisions/index.ts'
import type { TargetSetup } from '../scan-targets/index.ts'
import { decide as decideAbout, type ScanDecision, type Situation, situationAt } from './decide.ts'

const STATUSES = ['unconfigured', 'active', 'inactive', 'archived'] as const
const CODE_PARAMS: TargetSetup['params'] = [['from', 'code']]
const GROUP_PARAMS: TargetSetup['params'] = [['from', 'group']]

type Side = 'code' | 'group'
/** A status and whether there is a destination. */
type Setup = [status: TargetSetup['status'], destination: 'url' | '-']
const urlOf = (side: Side) => ({ type: 'url' as const, id: null, address: `https://acme.com/${side}` })

function setupOf(side: Side, [status, destination]: Setup): TargetSetup {
  return {
    status,
    destination: destination === 'url' ? urlOf(side) : null,
    params: side === 'code' ? CODE_PARAMS : GROUP_PARAMS,
    group: side === 'code' ? 'qr_group:1' : null,
  }
}

const facts = () => factsOf({}, { atMs: 0, salt: '' })
const decide = (setup: TargetSetup | null, group: TargetSetup | null): ScanDecision =>
  decideAbout({ setup, group, object: null }, facts)

const redirect = (side: Side, ...params: TargetSetup['params'][]): ScanDecision => ({
  destination: urlOf(side),
  params,
})
const PAUSED: ScanDecision = { notice: 'paused' }
const NOT_SET_UP: ScanDecision = { notice: 'not_set_up' }
const TO_CODE = redirect('code', GROUP_PARAMS, CODE_PARAMS)
const TO_GROUP = redirect('group', GROUP_PARAMS, CODE_PARAMS)

/** Rows: the code's status and destination. Columns: its group's; a deleted group counts as none. */
const COLUMNS = [
  'none',
  ...['unconfigured url', 'unconfigured -', 'active url', 'active -'],
  ...['inactive url', 'inactive -', 'archived url', 'archived -'],
]
const TO_CODE_ALONE = redirect('code', CODE_PARAMS)
const inEveryGroup = (decision: ScanDecision) => COLUMNS.slice(1).map(() => decision)
const FROM_GROUP = [NOT_SET_UP, NOT_SET_UP, TO_GROUP, NOT_SET_UP, PAUSED, PAUSED, PAUSED, PAUSED]
const TABLE: Record<string, ScanDecision[]> = {
  'unconfigured url': [NOT_SET_UP, ...FROM_GROUP],
  'unconfigured -': [NOT_SET_UP, ...FROM_GROUP],
  'active url': [TO_CODE_ALONE, ...inEveryGroup(TO_CODE)],
  'active -': [NOT_SET_UP, ...inEveryGroup(NOT_SET_UP)],
  'inactive url': [PAUSED, ...inEveryGroup(PAUSED)],
  'inactive -': [PAUSED, ...inEveryGroup(PAUSED)],
  'archived url': [PAUSED, ...inEveryGroup(PAUSED)],
  'archived -': [PAUSED, ...inEveryGroup(PAUSED)],
}

const parse = (text: string) => text.split(' ') as Setup
const cases = Object.entries(TABLE).flatMap(([code, decisions]) =>
  decisions.map((decision, n) => [code, COLUMNS[n]!, decision] as const),
)

test('the table has a row for every status with and without a destination', () => {
  const all = STATUSES.flatMap((status) => [`${status} url`, `${status} -`])
  expect(Object.keys(TABLE).sort()).toEqual([...all].sort())
  expect([...COLUMNS].sort()).toEqual(['none', ...all].sort())
  expect(cases).toHaveLength(8 * 9)
})

test.each(cases)('decides for a code "%s" in a group "%s"', (code, group, decision) => {
  expect(decide(setupOf('code', parse(code)), group === 'none' ? null : setupOf('group', parse(group)))).toEqual(
    decision,
  )
})

test.each(COLUMNS)('a deleted code is gone, also in a group "%s"', (group) => {
  expect(decide(null, group === 'none' ? null : setupOf('group', parse(group)))).toEqual({ notice: 'gone' })
})

test('params of the group come before those of the code, which override them, even when one list is empty', () => {
  const code = { ...setupOf('code', ['active', 'url']), params: [] }
  const group = { ...setupOf('group', ['active', 'url']), params: [] }
  expect(decide(code, setupOf('group', ['archived', '-']))).toMatchObject({ params: [GROUP_PARAMS, []] })
  expect(decide(setupOf('code', ['active', 'url']), group)).toMatchObject({ params: [[], CODE_PARAMS] })
})

test('the destination keeps its type and id', () => {
  const chatbot = { type: 'chatbot' as const, id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11', address: '/c/help' }
  const group = { ...setupOf('group', ['active', '-']), destination: chatbot }
  expect(decide(setupOf('code', ['unconfigured', '-']), group)).toEqual({
    destination: chatbot,
    params: [GROUP_PARAMS, CODE_PARAMS],
  })
})

describe('with rules', () => {
  const to = (place: string) => ({ type: 'url' as const, id: null, address: `https://acme.com/${place}` })
  const rulesTo = (place: string | null, version = 3) => ({
    version,
    timeZone: 'UTC',
    rules: [
      {
        id: `to-${place}`,
        name: 'A rule',
        active: true,
        when: {},
        then: { destination: place === null ? null : to(place) },
      },
    ],
  })
  const setup = (changes: Partial<TargetSetup> = {}): TargetSetup => ({
    status: 'active',
    destination: null,
    params: [],
    group: null,
    ...changes,
  })
  /** Where a scan leads, in a word. */
  const lead = (situation: Partial<Situation>): string => {
    const decision = decideAbout({ setup: null, group: null, object: null, ...situation }, facts)
    return 'notice' in decision ? decision.notice : decision.destination.address.slice('https://acme.com/'.length)
  }
  const OWN = { destination: to('own') }
  const GROUP = setup({ destination: to('group') })
  const OBJECT = setup({ destination: to('object') })
  const RULED = setup({ rules: rulesTo('ruled-group') })
  const RULED_OBJECT = setup({ rules: rulesTo('ruled-object') })

  test.each<[name: string, situation: Partial<Situation>, place: string]>([
    ['a rule comes before the destination', { setup: setup({ ...OWN, rules: rulesTo('rule') }) }, 'rule'],
    ['a paused code has no rules', { setup: setup({ ...OWN, status: 'inactive', rules: rulesTo('rule') }) }, 'paused'],
    [
      'a code that is not set up has rules',
      { setup: setup({ status: 'unconfigured', rules: rulesTo('rule') }) },
      'rule',
    ],
    [
      'a rule whose destination was deleted leads nowhere',
      { setup: setup({ ...OWN, rules: rulesTo(null) }) },
      'not_set_up',
    ],
    ['rules of the group come before its own destination', { setup: setup(OWN), group: RULED }, 'ruled-group'],
    [
      'its own rules come before those of the group',
      { setup: setup({ rules: rulesTo('rule') }), group: RULED },
      'rule',
    ],
    ['rules of a paused group do not count', { setup: setup(OWN), group: { ...RULED, status: 'inactive' } }, 'own'],
    ['an object leads what has nothing of its own', { setup: setup(), object: OBJECT, group: GROUP }, 'object'],
    ['also what is not set up', { setup: setup({ status: 'unconfigured' }), object: OBJECT, group: GROUP }, 'object'],
    ['a destination of its own comes before the object', { setup: setup(OWN), object: OBJECT }, 'own'],
    [
      'an object without anything is passed over',
      { setup: setup({ status: 'unconfigured' }), object: setup(), group: GROUP },
      'group',
    ],
    ['rules of the object', { setup: setup(), object: RULED_OBJECT, group: RULED }, 'ruled-object'],
    ['rules of the object do not count beside a destination', { setup: setup(OWN), object: RULED_OBJECT }, 'own'],
    [
      'a paused object pauses what has nothing of its own',
      { setup: setup(), object: { ...OBJECT, status: 'inactive' } },
      'paused',
    ],
  ])('%s', (_name, situation, place) => {
    expect(lead(situation)).toBe(place)
  })

  test('a decision names the rule and its version', () => {
    const ruled = { setup: setup({ rules: rulesTo('rule', 7) }), group: null, object: null }
    expect(decideAbout(ruled, facts).matched).toEqual({ id: 'to-rule', variant: null, rulesVersion: 7 })
  })

  test('params of the object count if it leads', () => {
    const [own, ofObject]: TargetSetup['params'][] = [[['a', 'own']], [['a', 'object']]]
    const situation = { setup: setup({ params: own! }), group: null, object: { ...OBJECT, params: ofObject! } }
    expect(decideAbout(situation, facts)).toMatchObject({ params: [ofObject, own] })
    const withOwn = { ...situation, setup: setup({ ...OWN, params: own! }) }
    expect(decideAbout(withOwn, facts)).toMatchObject({ params: [own] })
  })

  test('what is scheduled counts from its millisecond on, in order', () => {
    const scheduled = [
      { atMs: 1000, version: 2, destination: to('spring') },
      { atMs: 2000, version: 3, rules: rulesTo('summer') },
      { atMs: 3000, version: 4, status: 'inactive' as const },
      { atMs: 4000, version: 5, status: 'active' as const, rules: null },
      { atMs: 5000, version: 6, destination: null },
    ]
    const situation = { setup: setup({ status: 'unconfigured', scheduled }), group: null, object: null }
    const at = (ms: number) => [lead(situationAt(situation, ms)), situationAt(situation, ms).setup?.version]
    expect(at(999)).toEqual(['not_set_up', undefined])
    expect(at(1000)).toEqual(['spring', 2])
    expect(at(1999)).toEqual(['spring', 2])
    expect(at(2000)).toEqual(['summer', 3])
    expect(at(3000)).toEqual(['paused', 4])
    expect(at(4000)).toEqual(['spring', 5])
    expect(at(5000)).toEqual(['not_set_up', 6])
  })
})
