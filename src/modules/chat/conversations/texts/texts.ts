/** Messages that Waymark itself writes into a conversation, in the language of the visitor. */
export interface NoticeTexts {
  /** Before the first message of an agent. */
  agent_joined: string
  resolved: string
  /** When a person is asked for outside the office hours, and the chatbot has no message for it. */
  away: string
}
