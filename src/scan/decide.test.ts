import { expect, test } from 'vitest'
import type { TargetRule } from '../modules/codes/scan-targets/index.ts'
import { type Decision, decide } from './decide.ts'

const STATUSES = ['unconfigured', 'active', 'inactive', 'archived'] as const
const OWN: TargetRule['params'] = [['from', 'code']]
const SHARED: TargetRule['params'] = [['from', 'group']]

type Side = 'code' | 'group'
const address = (side: Side) => ({ type: 'url' as const, id: null, address: `https://acme.com/${side}` })

function ruleOf(side: Side, [status, leads]: [TargetRule['status'], 'leads' | '-']): TargetRule {
  const destination = leads === 'leads' ? address(side) : null
  return { status, destination, params: side === 'code' ? OWN : SHARED, group: side === 'code' ? 'qr_group:1' : null }
}

const lead = (side: Side, ...params: TargetRule['params'][]): Decision => ({ lead: address(side), params })
const PAUSED: Decision = { notice: 'paused' }
const NOT_SET_UP: Decision = { notice: 'not_set_up' }
const TO_CODE = lead('code', SHARED, OWN)
const TO_GROUP = lead('group', SHARED, OWN)

/** Down: the code's own status and destination. Across: its group's; those of a group that is no more count as none. */
const ACROSS = [
  'none',
  ...['unconfigured leads', 'unconfigured -', 'active leads', 'active -'],
  ...['inactive leads', 'inactive -', 'archived leads', 'archived -'],
]
const ALONE = lead('code', OWN)
const whateverTheGroup = (decision: Decision) => ACROSS.slice(1).map(() => decision)
const FROM_GROUP = [NOT_SET_UP, NOT_SET_UP, TO_GROUP, NOT_SET_UP, PAUSED, PAUSED, PAUSED, PAUSED]
const TABLE: Record<string, Decision[]> = {
  'unconfigured leads': [NOT_SET_UP, ...FROM_GROUP],
  'unconfigured -': [NOT_SET_UP, ...FROM_GROUP],
  'active leads': [ALONE, ...whateverTheGroup(TO_CODE)],
  'active -': [NOT_SET_UP, ...whateverTheGroup(NOT_SET_UP)],
  'inactive leads': [PAUSED, ...whateverTheGroup(PAUSED)],
  'inactive -': [PAUSED, ...whateverTheGroup(PAUSED)],
  'archived leads': [PAUSED, ...whateverTheGroup(PAUSED)],
  'archived -': [PAUSED, ...whateverTheGroup(PAUSED)],
}

const parse = (text: string) => text.split(' ') as [TargetRule['status'], 'leads' | '-']
const cases = Object.entries(TABLE).flatMap(([own, decisions]) =>
  decisions.map((decision, n) => [own, ACROSS[n]!, decision] as const),
)

test('the table has a line for every status with and without a destination', () => {
  const all = STATUSES.flatMap((status) => [`${status} leads`, `${status} -`])
  expect(Object.keys(TABLE).sort()).toEqual([...all].sort())
  expect([...ACROSS].sort()).toEqual(['none', ...all].sort())
  expect(cases).toHaveLength(8 * 9)
})

test.each(cases)('a code that is %s in a group that is %s', (own, group, decision) => {
  expect(decide(ruleOf('code', parse(own)), group === 'none' ? null : ruleOf('group', parse(group)))).toEqual(decision)
})

test.each(ACROSS)('a deleted code is gone, also in a group that is %s', (group) => {
  expect(decide(null, group === 'none' ? null : ruleOf('group', parse(group)))).toEqual({ notice: 'gone' })
})

test('params of the group come before those of the code, which override them, also when there are none', () => {
  const code = { ...ruleOf('code', ['active', 'leads']), params: [] }
  const group = { ...ruleOf('group', ['active', 'leads']), params: [] }
  expect(decide(code, ruleOf('group', ['archived', '-']))).toMatchObject({ params: [SHARED, []] })
  expect(decide(ruleOf('code', ['active', 'leads']), group)).toMatchObject({ params: [[], OWN] })
})

test('what kind of place it is stays with the address', () => {
  const chatbot = { type: 'chatbot' as const, id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11', address: '/c/help' }
  const group = { ...ruleOf('group', ['active', '-']), destination: chatbot }
  expect(decide(ruleOf('code', ['unconfigured', '-']), group)).toEqual({ lead: chatbot, params: [SHARED, OWN] })
})
