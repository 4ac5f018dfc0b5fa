import { z } from 'zod'
import { choice, field, nullable } from '../../../../platform/contract/index.ts'
import { ALIAS, hasOneSpelling, twoSpellings } from '../spellings.ts'

const LENGTH_MAX = 10_000
const ATTACHMENTS_MAX = 10

const MessageRole = choice({
  user: 'The visitor.',
  assistant: 'The chatbot, or your team.',
  system: 'A notice of Waymark.',
}).meta({ examples: ['user'] })
export type MessageRole = z.infer<typeof MessageRole>

const ofTools = <T extends z.ZodType>(schema: T) => nullable(schema, 'Null: chatbots use no tools.')

const MessagePart = z
  .object({
    object: z.literal('message_part'),
    id: field.id,
    type: choice({
      text: 'A text.',
      file: 'A file that was sent.',
      tool: 'The use of a tool. Chatbots use none.',
    }).meta({ examples: ['text'] }),
    order: z.int().meta({ description: 'Counts the parts of a message, from 0.', examples: [0] }),
    text: z
      .string()
      .nullable()
      .meta({
        description: 'Plain text. Markdown in an answer of the chatbot.',
        examples: ['How do I descale it?'],
      }),
    file_url: nullable(
      z.string(),
      'The address of the file. A file of a visitor is an operation of this API, which needs a credential.',
    ),
    file_media_type: nullable(z.string(), 'Null if it is not known.'),
    file_filename: nullable(z.string(), 'Null if it is not known.'),
    tool_name: ofTools(z.string()),
    tool_call_id: ofTools(z.string()),
    tool_input: ofTools(z.record(z.string(), z.unknown())),
    tool_output: ofTools(z.record(z.string(), z.unknown())),
    tool_error_text: ofTools(z.string()),
    created_at: field.timestamp,
  })
  .meta({ id: 'MessagePart', description: 'A text or a file in a message.' })
export type MessagePart = z.infer<typeof MessagePart>

export const Message = z
  .object({
    object: z.literal('message'),
    id: field.id,
    conversation_id: field.id,
    role: MessageRole,
    metadata: z.record(z.string(), z.unknown()).meta({
      description:
        'Of an answer: `citations`, `nearest` (articles that may help instead), `model`, `credits_used`, `is_answered`, `language`, and `is_limited` if a limit kept the chatbot from answering. Of your team: `author_id`. Of a notice: `notice`.',
      examples: [{}],
    }),
    parts: z.array(MessagePart),
    created_at: field.timestamp,
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' })
export type Message = z.infer<typeof Message>

const messageText = field
  .text(1, LENGTH_MAX)
  .refine((text) => text.trim() !== '', { error: 'Must not be blank' })
  .meta({ examples: ['I have sent you a new seal.'] })

export const MessageCreate = z
  .strictObject({
    text: messageText.optional().describe('Plain text.'),
    content: messageText.optional().meta(ALIAS),
    attachments: z
      .array(
        z.strictObject({
          url: field.webUrl.describe(
            'The URL of one of your assets, or any `https` address. Waymark does not load it.',
          ),
        }),
      )
      .max(ATTACHMENTS_MAX, { error: `Must have at most ${ATTACHMENTS_MAX} attachments` })
      .optional()
      .describe('Files that the visitor can open.'),
  })
  .refine(hasOneSpelling, twoSpellings('content', 'text'))
  .refine(({ text, content = text, attachments = [] }) => content !== undefined || attachments.length > 0, {
    error: 'A message needs a text or an attachment',
  })
  .meta({ id: 'MessageCreate' })
export type MessageCreate = z.output<typeof MessageCreate>
