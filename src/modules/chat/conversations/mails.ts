import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Answers to visitors of one organisation. */
export const REPLIES: MailLimit = { name: 'visitor', perHour: 200 }

/** Answers to one address, which anybody may have entered. */
export const REPLIES_TO_ADDRESS: MailLimit = { name: 'visitor_address', perHour: 6 }

interface ConversationMails {
  /** Tells a visitor how the answer of an agent begins, with a link that continues the conversation. */
  reply: Mail<{ answer: string; url: string }>
}

export const conversationMails: Readonly<ConversationMails> = {
  reply: { kind: 'conversation_reply', facts: ['answer'], link: ({ url }) => url },
}
