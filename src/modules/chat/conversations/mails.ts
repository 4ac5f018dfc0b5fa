import { DAY_MS } from '../../../platform/clock/index.ts'
import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Answers to visitors of one organisation. */
export const REPLIES: MailLimit = { name: 'visitor', perHour: 200 }

/** Answers to one address, which anybody may have entered. */
export const REPLIES_TO_ADDRESS: MailLimit = { name: 'visitor_address', perHour: 6 }

/** Visitors of one organisation who ask for a person: a stranger can open many conversations. */
export const REQUESTS: MailLimit = { name: 'waiting', perHour: 30 }

/** Those from one address, so that a stranger leaves mails for other visitors. */
export const REQUESTS_OF_ADDRESS: MailLimit = { name: 'waiting_address', perHour: 6 }

interface ConversationMails {
  /** Tells those who may answer that a visitor waits for a person, with the beginning of what the visitor wrote last. */
  waiting: Mail<{ conversationId: string; chatbot: string; visitor: string; question: string }>
  /** Tells a visitor how the answer of an agent begins, with a link that continues the conversation. */
  reply: Mail<{ answer: string; url: string }>
}

export const conversationMails: Readonly<ConversationMails> = {
  waiting: {
    kind: 'conversation_waiting',
    validMs: DAY_MS,
    facts: ['question', 'visitor'],
    link: () => '/account',
    isForMembers: true,
  },
  reply: { kind: 'conversation_reply', facts: ['answer'], link: ({ url }) => url },
}
