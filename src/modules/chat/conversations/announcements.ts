import { announce, type Tx } from '../../../platform/db/index.ts'

/** Announced with the id of a conversation when its messages or its state have changed. */
export const CONVERSATIONS_TOPIC = 'conversations'

/** Announced with `<id of the conversation> <signal>`. Typing is stored nowhere; read marks are stored as well. */
export const SIGNALS_TOPIC = 'conversation-signals'

export type Signal = 'agent_typing' | 'agent_read' | 'visitor_typing' | 'visitor_read'

export const announceSignal = (tx: Tx, conversationId: string, signal: Signal): Promise<void> =>
  announce(tx, SIGNALS_TOPIC, [`${conversationId} ${signal}`])
