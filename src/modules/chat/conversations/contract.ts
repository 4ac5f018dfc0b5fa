import { z } from 'zod'
import {
  choice,
  commaList,
  cursorQuery,
  field,
  ID_LIST_FORMAT,
  nullable,
  offsetQuery,
  operations,
  queryBoolean,
} from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'
import { Email } from '../../account/users/contract.ts'
import { ConversationTag } from '../conversation-tags/contract.ts'
import { Message, MessageCreate } from './messages/contract.ts'
import { ConversationNote, ConversationNoteCreate } from './notes/contract.ts'

const TITLE_LENGTH_MAX = 300
const CONTACT_LENGTH_MAX = 200
const TAGS_MAX = 50
const ASSIGNEES_MAX = 10

export const ConversationStatus = choice({
  bot_active: 'The chatbot answers.',
  agent_requested: 'The visitor waits for a person.',
  open: 'A person answers.',
  resolved: 'It has ended with a solution, and the visitor was told so.',
  closed: 'It has ended.',
  archived: 'It has ended and was put away.',
}).meta({ examples: ['agent_requested'] })
export type ConversationStatus = z.infer<typeof ConversationStatus>

const ConversationPriority = choice({
  low: 'Can wait.',
  medium: 'The usual priority.',
  high: 'Should be answered first.',
}).meta({ examples: ['medium'] })

const title = field.name(TITLE_LENGTH_MAX)
const contact = field.name(CONTACT_LENGTH_MAX)

export const Conversation = z
  .object({
    object: z.literal('conversation'),
    id: field.id,
    chatbot_id: field.id.nullable().describe('The chatbot. It may be deleted.'),
    status: ConversationStatus,
    priority: ConversationPriority,
    title: nullable(title, 'Your own title.'),
    summary: nullable(field.text(0, 2000), 'Reserved. Null.'),
    sentiment_score: nullable(z.number(), 'Reserved. Null.'),
    contact_email: nullable(Email, 'Where the visitor wants to get answers.'),
    contact_name: nullable(contact, 'The name of the visitor.'),
    contact_phone: nullable(contact, 'The phone number of the visitor.'),
    assigned_to: nullable(field.id, 'The user who takes care of it.'),
    language: Language.describe('The language of the visitor.'),
    last_message_preview: field
      .text(0, 200)
      .nullable()
      .meta({ description: 'The beginning of the last message.', examples: ['How do I descale it?'] }),
    last_message_at: field.timestamp
      .nullable()
      .describe('When the visitor, the chatbot or your team last wrote. Notices of Waymark do not count.'),
    agent_read_at: nullable(field.timestamp, 'When your team last read the messages.'),
    visitor_read_at: nullable(field.timestamp, 'When the visitor last read the messages.'),
    resolved_at: nullable(field.timestamp, 'Only while it is `resolved`.'),
    closed_at: nullable(field.timestamp, 'Only while it is `closed`.'),
    created_at: field.timestamp,
    qr_code_id: nullable(field.id, 'The QR code that the visitor scanned.'),
    product_id: nullable(field.id, 'The product that the visitor scanned.'),
    object_id: nullable(field.id, 'The object that the visitor scanned.'),
  })
  .meta({
    id: 'Conversation',
    description: 'What a visitor, a chatbot and maybe your team have written to each other.',
  })
export type Conversation = z.infer<typeof Conversation>

export const ConversationUpdate = z
  .strictObject({
    status: ConversationStatus.optional().describe(
      'From `bot_active` to `agent_requested`; from `open` to `resolved`, `closed` or `archived`; from these back to `open`. Anything else is `unprocessable`. Only a message of your team opens a conversation for the first time.',
    ),
    priority: ConversationPriority.optional(),
    title: title.nullable().optional(),
    contact_email: Email.nullable().optional(),
    contact_name: contact.nullable().optional(),
    contact_phone: contact.nullable().optional(),
    assigned_to: field.id.nullable().optional().describe('The user id of a member.'),
  })
  .meta({ id: 'ConversationUpdate' })
export type ConversationUpdate = z.output<typeof ConversationUpdate>

export const ConversationTagsReplace = z
  .strictObject({
    tag_ids: z
      .array(field.id)
      .max(TAGS_MAX, { error: `Must have at most ${TAGS_MAX} tags` })
      .refine((ids) => new Set(ids).size === ids.length, { error: 'Must not have the same tag twice' })
      .meta({ examples: [['0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11']] }),
  })
  .meta({ id: 'ConversationTagsReplace' })
export type ConversationTagsReplace = z.output<typeof ConversationTagsReplace>

const FAMILY = {
  name: 'conversations',
  title: 'Conversations',
  about:
    'What visitors write to your [chatbots](#tag/chatbots), and what they get as answers. When a visitor asks for a person, your team answers here: the message appears in the open chat at once.',
  area: 'conversations',
} as const

export const conversations = operations(FAMILY, {
  list: {
    method: 'GET',
    path: '/conversations',
    summary: 'List conversations',
    description: 'Newest first by default. A conversation begins with the first message of a visitor.',
    query: cursorQuery({
      chatbot_id: field.id.optional().describe('Only conversations with this chatbot. It may be deleted.'),
      status: commaList(ConversationStatus, 6)
        .optional()
        .describe('Only conversations with one of these statuses, separated by commas.'),
      priority: commaList(ConversationPriority, 3)
        .optional()
        .describe('Only conversations with one of these priorities, separated by commas.'),
      assigned_to: commaList(field.id, ASSIGNEES_MAX, { mayBeEmpty: true })
        .meta({ format: ID_LIST_FORMAT })
        .optional()
        .describe(
          `Only conversations that are assigned to one of these users: at most ${ASSIGNEES_MAX} ids, separated by commas. Empty for nobody.`,
        ),
      include_unassigned: queryBoolean()
        .optional()
        .describe(
          'With `assigned_to`: also conversations that nobody is assigned to. `assigned_to=&include_unassigned=true` lists only those.',
        ),
      sort: choice({
        '-created_at': 'Last begun first.',
        created_at: 'First begun first.',
        '-last_message_at': 'Last written to first.',
        last_message_at: 'Longest without a message first.',
      })
        .default('-created_at')
        .describe('The order of the list.'),
    }),
    cursor: Conversation,
    hasOutsideText: true,
  },
  get: {
    method: 'GET',
    path: '/conversations/{id}',
    summary: 'Get a conversation',
    ok: Conversation,
    hasOutsideText: true,
  },
  update: {
    method: 'PATCH',
    path: '/conversations/{id}',
    summary: 'Change a conversation',
    description:
      '`resolved` sets `resolved_at` and tells the visitor with a notice; `closed` sets `closed_at`. Back to `open` clears both. A visitor who writes after the end begins another conversation.',
    body: ConversationUpdate,
    ok: Conversation,
    errors: ['unprocessable'],
    hasOutsideText: true,
    example: (n) => ({ priority: 'high', title: `Leaking machine ${n}` }),
  },
  delete: {
    method: 'DELETE',
    path: '/conversations/{id}',
    summary: 'Erase a conversation',
    description:
      'Removes a conversation with its messages, files, notes and contact details for good, also from events and mails that wait to be sent. What it cost stays in the credit entries. Webhooks that were delivered and mails that were sent are not ours to erase.',
    onlyInSession: true,
  },
  listMessages: {
    method: 'GET',
    path: '/conversations/{id}/messages',
    summary: 'List the messages of a conversation',
    description: 'A page of long messages has fewer than `limit` items: at most 1 MiB.',
    query: cursorQuery({
      order: choice({ asc: 'Oldest first.', desc: 'Newest first.' }).default('desc').describe('The order of the list.'),
    }),
    cursor: Message,
    hasOutsideText: true,
  },
  createMessage: {
    method: 'POST',
    path: '/conversations/{id}/messages',
    summary: 'Answer a visitor',
    description:
      'Only while the conversation is `agent_requested` or `open`. The first message takes over from the chatbot: a notice comes before it, the status becomes `open`, and the conversation is assigned to you if it is to nobody. A visitor who has left and who gave an address gets a mail, at most one in 10 minutes.',
    body: MessageCreate,
    created: Message,
    errors: ['unprocessable'],
    example: (n) => ({ text: `I have sent you a new seal, number ${n}.` }),
  },
  markTyping: {
    method: 'POST',
    path: '/conversations/{id}/typing',
    summary: 'Show that you are typing',
    description: 'The open chat of the visitor shows it for some seconds. Send it again while you type.',
    ok: Conversation,
    hasOutsideText: true,
  },
  markRead: {
    method: 'POST',
    path: '/conversations/{id}/read',
    summary: 'Mark a conversation as read',
    description: 'Your team has read all messages up to now. Sets `agent_read_at`, which the visitor sees.',
    ok: Conversation,
    hasOutsideText: true,
  },
  listNotes: {
    method: 'GET',
    path: '/conversations/{id}/notes',
    summary: 'List the notes of a conversation',
    description: 'Newest first.',
    query: cursorQuery({}),
    cursor: ConversationNote,
  },
  createNote: {
    method: 'POST',
    path: '/conversations/{id}/notes',
    summary: 'Add a note to a conversation',
    body: ConversationNoteCreate,
    created: ConversationNote,
    example: (n) => ({ content: `Call back, attempt ${n}.` }),
  },
  listTags: {
    method: 'GET',
    path: '/conversations/{id}/tags',
    noun: 'TagsOfConversation',
    summary: 'List the tags of a conversation',
    query: offsetQuery({}, TAGS_MAX),
    offset: ConversationTag,
  },
  replaceTags: {
    method: 'PUT',
    path: '/conversations/{id}/tags',
    noun: 'TagsOfConversation',
    summary: 'Replace the tags of a conversation',
    description: 'Removes all tags that are not in the list.',
    query: offsetQuery({}, TAGS_MAX),
    body: ConversationTagsReplace,
    offset: ConversationTag,
    errors: ['unprocessable'],
    example: () => ({ tag_ids: [] }),
  },
  getFile: {
    method: 'GET',
    path: '/conversations/{id}/files/{file_id}',
    summary: 'Download a file of a visitor',
    description: 'The address is the `file_url` of a part. Treat what visitors send with care.',
    download: ['*/*'],
    hasOutsideText: true,
  },
})
