import type { Mail } from '../../mail/mails/index.ts'

interface ChatbotMails {
  /** Visitors ask unusually many questions. `number` is how many a chatbot may answer within a day. */
  load: Mail<{ chatbot: string; number: number }>
}

export const chatbotMails: Readonly<ChatbotMails> = {
  load: { kind: 'chatbot_load', link: () => '/account' },
}
