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
      away_message: 'We answer from Monday to Friday, 9 to 17.',
      default_language: 'en',
      translations: {
        de: {
          welcome_message: 'Wie können wir helfen?',
          welcome_subtitle: 'Fragen Sie uns zu Ihrer Acme-Maschine.',
          suggestions: [
            'Wie entkalke ich die Maschine?',
            'Warum schmeckt der Kaffee bitter?',
            'Was deckt die Garantie ab?',
          ],
          away_message: 'Wir antworten montags bis freitags von 9 bis 17 Uhr.',
        },
        fr: {
          welcome_message: 'Comment pouvons-nous vous aider ?',
          welcome_subtitle: 'Posez vos questions sur votre machine Acme.',
          suggestions: ['Comment détartrer la machine ?', 'Pourquoi le café est-il amer ?', 'Que couvre la garantie ?'],
          away_message: 'Nous répondons du lundi au vendredi, de 9 h à 17 h.',
        },
        ar: {
          welcome_message: 'كيف يمكننا مساعدتك؟',
          welcome_subtitle: 'يمكنك أن تسأل عن جهاز Acme بلغتك.',
          suggestions: null,
          away_message: 'نجيب من الاثنين إلى الجمعة، من 9 إلى 17.',
        },
      },
    },
    { publicUrl, models: [EMBEDDED], passwords: new PasswordHasher() },
  )
