import { EMBEDDED } from '../../modules/chat/answering/index.ts'
import { createChatbot } from '../../modules/chat/chatbots/index.ts'
import type { Context } from '../../platform/http/index.ts'
import { PasswordHasher } from '../../platform/passwords/index.ts'

/** Creates a chatbot that answers from the articles of the help centre. */
export const createAssistant = (ctx: Context, knowledgeBaseId: string, publicUrl: string) =>
  createChatbot(
    ctx,
    {
      name: 'Acme assistant',
      slug: 'assistant',
      description: 'On the packages of the Acme One',
      status: 'active',
      welcome_message: 'How can we help?',
      welcome_subtitle: 'Ask about your Acme machine in your own language.',
      suggestions: [
        'How do I descale the machine?',
        'Why does the coffee taste bitter?',
        'What does the warranty cover?',
      ],
      tone: 'friendly',
      primary_color: '#7c4a1e',
      knowledge_base_ids: [knowledgeBaseId],
      human_support_enabled: true,
      office_hours: {
        time_zone: 'Europe/Berlin',
        days: Object.fromEntries(
          ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [
            day,
            [{ from: '09:00', to: '17:00' }],
          ]),
        ),
      },
      away_message: 'We answer from Monday to Friday, 9 to 17. Leave your address, and we will write to you.',
    },
    { publicUrl, models: [EMBEDDED], passwords: new PasswordHasher() },
  )
