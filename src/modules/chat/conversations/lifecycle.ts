import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Conversation, ConversationStatus } from './contract.ts'

/** What moves a conversation: its visitor, a PATCH, or a message of an agent. */
export type Cause = 'visitor' | 'patch' | 'reply'

/** A message of the role `system`, which a change of the status adds. */
export type Notice = 'agent_joined' | 'resolved'

export interface Transition {
  from: ConversationStatus
  to: ConversationStatus
  by: readonly Cause[]
  /** The column that gets the time. Every other change of the status clears it. */
  stamps?: 'resolved_at' | 'closed_at'
  notice?: Notice
}

/**
 * The life of a conversation. What is not here is refused. Nothing leads to `bot_active`: a chatbot answers from the start,
 * until a person is asked for. A visitor who writes after the end begins another conversation, with the chatbot.
 */
const TRANSITIONS: readonly Transition[] = [
  { from: 'bot_active', to: 'agent_requested', by: ['visitor', 'patch'] },
  { from: 'agent_requested', to: 'open', by: ['reply'], notice: 'agent_joined' },
  { from: 'open', to: 'resolved', by: ['patch'], stamps: 'resolved_at', notice: 'resolved' },
  { from: 'open', to: 'closed', by: ['patch'], stamps: 'closed_at' },
  { from: 'open', to: 'archived', by: ['patch'] },
  { from: 'resolved', to: 'open', by: ['patch'] },
  { from: 'closed', to: 'open', by: ['patch'] },
  { from: 'archived', to: 'open', by: ['patch'] },
]

/** The states in which each may write. */
export const MAY_WRITE: Readonly<Record<'visitor' | 'chatbot' | 'agent', readonly ConversationStatus[]>> = {
  visitor: ['bot_active', 'agent_requested', 'open'],
  chatbot: ['bot_active'],
  agent: ['agent_requested', 'open'],
}

export const findTransition = (from: ConversationStatus, to: ConversationStatus, by: Cause): Transition | undefined =>
  TRANSITIONS.find((one) => one.from === from && one.to === to && one.by.includes(by))

/** The fields that a transition sets. */
export const fieldsAfter = (
  { to, stamps }: Transition,
  now: Timestamp,
): Pick<Conversation, 'status' | 'resolved_at' | 'closed_at'> => ({
  status: to,
  resolved_at: stamps === 'resolved_at' ? now : null,
  closed_at: stamps === 'closed_at' ? now : null,
})
