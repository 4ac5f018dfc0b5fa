import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Conversation } from './contract.ts'
import { Message } from './messages/contract.ts'

const { 'conversation.updated': updated, 'conversation.deleted': deleted } = resourceEvents(
  'conversation',
  Conversation,
)

/** The audit log has nothing that a visitor wrote: it is kept when a conversation is erased. */
const UNAUDITED = ['title', 'contact_email', 'contact_name', 'contact_phone', 'last_message_preview']

export const conversationEvents = {
  'conversation.created': {
    description: 'A visitor has begun a conversation. Emitted before the events of its messages.',
    payload: Conversation,
    unaudited: UNAUDITED,
  },
  'conversation.updated': { ...updated, unaudited: UNAUDITED },
  'conversation.deleted': { ...deleted, description: 'A conversation was erased.' },
  'message.created': {
    description: 'A visitor, a chatbot, your team or Waymark itself has written a message.',
    payload: Message,
    unaudited: ['metadata', 'parts'],
  },
}
