import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { ConversationStatus } from './contract.ts'
import { type Cause, fieldsAfter, findTransition, MAY_WRITE, type Transition } from './lifecycle.ts'

const NOW = timestamp(1_800_000_000_000)
const NOTHING = { resolved_at: null, closed_at: null, notice: undefined }

/** What the contract allows: from, to, by whom, and what it sets. Everything else is refused. */
const ALLOWED: [ConversationStatus, ConversationStatus, Cause[], object][] = [
  ['bot_active', 'agent_requested', ['visitor', 'patch'], NOTHING],
  ['agent_requested', 'open', ['reply'], { ...NOTHING, notice: 'agent_joined' }],
  ['open', 'resolved', ['patch'], { ...NOTHING, resolved_at: NOW, notice: 'resolved' }],
  ['open', 'closed', ['patch'], { ...NOTHING, closed_at: NOW }],
  ['open', 'archived', ['patch'], NOTHING],
  ['resolved', 'open', ['patch'], NOTHING],
  ['closed', 'open', ['patch'], NOTHING],
  ['archived', 'open', ['patch'], NOTHING],
]

const CAUSES: Cause[] = ['visitor', 'patch', 'reply']
const ALL = ConversationStatus.options.flatMap((from) =>
  ConversationStatus.options.flatMap((to) => CAUSES.map((by) => [from, to, by] as const)),
)

describe('every change of the status', () => {
  test.each(ALL)('%s → %s by %s', (from, to, by) => {
    const allowed = ALLOWED.find(([one, other, causes]) => one === from && other === to && causes.includes(by))
    const transition = findTransition(from, to, by)
    expect(transition !== undefined).toBe(allowed !== undefined)
    if (allowed === undefined) return
    const { notice } = transition as Transition
    expect({ ...fieldsAfter(transition as Transition, NOW), notice }).toEqual({ status: to, ...allowed[3] })
  })
})

test.each([
  ['bot_active', true, true, false],
  ['agent_requested', true, false, true],
  ['open', true, false, true],
  ['resolved', false, false, false],
  ['closed', false, false, false],
  ['archived', false, false, false],
] as const)('while it is %s, the visitor may write: %s, the chatbot: %s, an agent: %s', (status, ...may) => {
  expect([MAY_WRITE.visitor, MAY_WRITE.chatbot, MAY_WRITE.agent].map((states) => states.includes(status))).toEqual(may)
})
