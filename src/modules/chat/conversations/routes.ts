import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import type { AssetSettings } from '../../assets/assets/index.ts'
import { conversations } from './contract.ts'
import { eraseConversation, type ForgetResponses } from './erase.ts'
import { listConversations } from './list.ts'
import { createMessage, type MessageSettings } from './messages/create-message.ts'
import { getFile } from './messages/files.ts'
import { listMessages } from './messages/messages.ts'
import { createNote, listNotes } from './notes/notes.ts'
import { getConversation, markRead, markTyping, type UpdateSettings, updateConversation } from './service.ts'
import { listTags, replaceTags } from './tags/tags.ts'

export interface ConversationSettings extends Omit<MessageSettings, 'chatUrl' | 'mails'> {
  mails: MessageSettings['mails'] & UpdateSettings['mails']
  assets: Pick<AssetSettings, 'store'>
}

export const conversationRoutes = (
  settings: ConversationSettings,
  publicUrlOf: PublicUrlOf,
  forgetResponses: ForgetResponses,
) =>
  implement(conversations, {
    list: (ctx, { query, after }) => listConversations(ctx, query, after),
    get: (ctx, { params }) => getConversation(ctx, params.id),
    update: (ctx, { params, body }) => updateConversation(ctx, params.id, body, ctx.credential.userId, settings),
    delete: (ctx, { params }) => eraseConversation(ctx, params.id, forgetResponses),
    listMessages: (ctx, { params, query, after }) => listMessages(ctx, params.id, query, after, settings.appUrl),
    createMessage: async (ctx, { params, body }) =>
      createMessage(ctx, params.id, body, ctx.credential.userId, {
        ...settings,
        chatUrl: await publicUrlOf(ctx.orgId),
      }),
    markTyping: (ctx, { params }) => markTyping(ctx, params.id),
    markRead: (ctx, { params }) => markRead(ctx, params.id),
    listNotes: (ctx, { params, query, after }) => listNotes(ctx, params.id, query, after),
    createNote: (ctx, { params, body }) => createNote(ctx, params.id, body),
    listTags: (ctx, { params, query }) => listTags(ctx, params.id, query),
    replaceTags: (ctx, { params, query, body }) => replaceTags(ctx, params.id, body, query),
    getFile: (ctx, { params }) => getFile(ctx, params, settings.assets),
  })
