import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

export const ConversationTag = z
  .object({
    object: z.literal('conversation_tag'),
    id: field.id,
    name: field.name(100).meta({ examples: ['Warranty'] }),
    color: field.hexColor.nullable().describe('How your team sees it. Null for none.'),
    created_at: field.timestamp,
  })
  .meta({ id: 'ConversationTag', description: 'A label for conversations.' })
export type ConversationTag = z.infer<typeof ConversationTag>

export const ConversationTagCreate = z
  .strictObject({
    name: ConversationTag.shape.name.describe('Unique in the organisation, ignoring case.'),
    color: ConversationTag.shape.color.optional(),
  })
  .meta({ id: 'ConversationTagCreate' })
export type ConversationTagCreate = z.output<typeof ConversationTagCreate>

export const conversationTags = operations(
  {
    name: 'conversation-tags',
    title: 'Conversation tags',
    about: 'Labels for conversations. A conversation can have several tags, and many conversations can share a tag.',
    area: 'conversations',
  },
  {
    list: {
      method: 'GET',
      path: '/conversation-tags',
      summary: 'List conversation tags',
      description: 'Newest first.',
      query: offsetQuery({ search: field.search }),
      offset: ConversationTag,
    },
    create: {
      method: 'POST',
      path: '/conversation-tags',
      summary: 'Create a conversation tag',
      body: ConversationTagCreate,
      created: ConversationTag,
      errors: ['conflict'],
      example: (n) => ({ name: `Warranty ${n}`, color: '#1a2b3c' }),
    },
    get: { method: 'GET', path: '/conversation-tags/{id}', summary: 'Get a conversation tag', ok: ConversationTag },
    delete: {
      method: 'DELETE',
      path: '/conversation-tags/{id}',
      summary: 'Delete a conversation tag',
      description: 'Also removes it from all conversations.',
    },
  },
)
