import { type Context, implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { type AskServices, askChatbot } from './ask.ts'
import { chatbots } from './contract.ts'
import { createChatbot } from './create.ts'
import { deleteChatbot, getChatbot, listChatbots, updateChatbot } from './service.ts'
import type { ChatbotServices } from './stored-chatbot.ts'

export type ChatbotSettings = AskServices & Omit<ChatbotServices, 'publicUrl'>

export const chatbotRoutes = (publicUrlOf: PublicUrlOf, settings: ChatbotSettings) => {
  const services = async (ctx: Context) => ({ ...settings, publicUrl: await publicUrlOf(ctx.orgId) })
  return implement(chatbots, {
    list: async (ctx, { query }) => listChatbots(ctx, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createChatbot(ctx, body, await services(ctx)),
    get: async (ctx, { params }) => getChatbot(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateChatbot(ctx, params.id, body, await services(ctx)),
    delete: (ctx, { params }) => deleteChatbot(ctx, params.id),
    ask: (ctx, { params, body }) => askChatbot(ctx, params.id, body, settings),
  })
}
