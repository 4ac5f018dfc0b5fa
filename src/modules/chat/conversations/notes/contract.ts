import { z } from 'zod'
import { field, nullable } from '../../../../platform/contract/index.ts'
import { ALIAS, hasOneSpelling, twoSpellings } from '../spellings.ts'

const LENGTH_MAX = 10_000

export const ConversationNote = z
  .object({
    object: z.literal('conversation_note'),
    id: field.id,
    conversation_id: field.id,
    author_id: nullable(field.id, 'The user who wrote it. Null if an API key did.'),
    content: field.text(1, LENGTH_MAX).meta({ examples: ['Call back on Monday.'] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'ConversationNote', description: 'A note of your team. Visitors do not see it.' })
export type ConversationNote = z.infer<typeof ConversationNote>

const noteContent = ConversationNote.shape.content.refine((text) => text.trim() !== '', { error: 'Must not be blank' })

export const ConversationNoteCreate = z
  .strictObject({
    content: noteContent.optional(),
    text: noteContent.optional().meta(ALIAS),
  })
  .refine(hasOneSpelling, twoSpellings('text', 'content'))
  .refine(({ content, text }) => content !== undefined || text !== undefined, {
    path: ['content'],
    error: 'Required',
  })
  .meta({ id: 'ConversationNoteCreate', required: ['content'] })
export type ConversationNoteCreate = z.output<typeof ConversationNoteCreate>
