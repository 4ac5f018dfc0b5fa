import { expect, test } from 'vitest'
import type { TargetSetup } from '../scan-targets/index.ts'
import { decide, type ScanDecision } from './decide.ts'

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

const redirect = (side: Side, ...params: TargetSetup['params'][]): ScanDecision => ({ destination: urlOf(side), params })
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
  expect(decide(setupOf('code', parse(code)), group === 'none' ? null : setupOf('group', parse(group)))).toEqual(decision)
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
