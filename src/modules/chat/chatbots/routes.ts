import { implement } from '../../../platform/http/index.ts'
import { type AskServices, askChatbot } from './ask.ts'
import { chatbots } from './contract.ts'
import { createChatbot } from './create.ts'
import { deleteChatbot, getChatbot, listChatbots, updateChatbot } from './service.ts'
import type { ChatbotServices } from './stored-chatbot.ts'

export type ChatbotSettings = AskServices & Omit<ChatbotServices, 'publicUrl'>

export const chatbotRoutes = (publicUrl: string, settings: ChatbotSettings) => {
  const services = { ...settings, publicUrl }
  return implement(chatbots, {
    list: (ctx, { query }) => listChatbots(ctx, query, publicUrl),
    create: (ctx, { body }) => createChatbot(ctx, body, services),
    get: (ctx, { params }) => getChatbot(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updateChatbot(ctx, params.id, body, services),
    delete: (ctx, { params }) => deleteChatbot(ctx, params.id),
    ask: (ctx, { params, body }) => askChatbot(ctx, params.id, body, services),
  })
}
