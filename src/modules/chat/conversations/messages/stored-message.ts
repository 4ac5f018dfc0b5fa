import { newId } from '../../../../platform/ids/index.ts'
import type { Message, MessagePart, MessageRole } from './contract.ts'
import type { MessageRow } from './message-queries.ts'

/** A part as it is stored. */
export type StoredPart =
  | { id: string; type: 'text'; text: string }
  | {
      id: string
      type: 'file'
      /** A private asset that the visitor sent. */
      file_id: string | null
      /** What an agent attached. */
      url: string | null
      media_type: string | null
      file_name: string | null
    }

/** A message that is about to be stored. */
export interface NewMessage {
  role: MessageRole
  metadata: Record<string, unknown>
  parts: readonly StoredPart[]
  /** See `MessagesTable`. */
  message_key?: string
  answer_to?: string
}

export const toText = (text: string): StoredPart => ({ id: newId(), type: 'text', text })

const PREVIEW_LENGTH_MAX = 200
const NO_TOOL = { tool_name: null, tool_call_id: null, tool_input: null, tool_output: null, tool_error_text: null }

export const toMessage = (row: MessageRow, appUrl: string): Message => ({
  object: 'message',
  id: row.id,
  conversation_id: row.conversation_id,
  role: row.role,
  metadata: row.metadata as Message['metadata'],
  parts: (row.parts as StoredPart[]).map((part, order) => toPart(part, order, row, appUrl)),
  created_at: row.created_at,
})

function toPart(part: StoredPart, order: number, row: MessageRow, appUrl: string): MessagePart {
  const same = { object: 'message_part' as const, id: part.id, type: part.type, order }
  const { created_at } = row
  if (part.type === 'text') {
    const { text } = part
    return { ...same, text, file_url: null, file_media_type: null, file_filename: null, ...NO_TOOL, created_at }
  }
  const { file_id, url, media_type, file_name } = part
  return {
    ...same,
    text: null,
    file_url: file_id === null ? url : `${appUrl}/v1/conversations/${row.conversation_id}/files/${file_id}`,
    file_media_type: media_type,
    file_filename: file_name,
    ...NO_TOOL,
    created_at,
  }
}

/** The beginning of a message, on one line: its text, or the name of its first file. */
export function toPreview(parts: readonly StoredPart[]): string {
  const [first] = parts
  const text = first === undefined ? '' : first.type === 'text' ? first.text : (first.file_name ?? first.url ?? '')
  // More than enough for the characters below, so that a long text costs little.
  const folded = text
    .slice(0, 4 * PREVIEW_LENGTH_MAX)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...folded]
  if (characters.length <= PREVIEW_LENGTH_MAX) return folded.toWellFormed()
  return `${characters.slice(0, PREVIEW_LENGTH_MAX - 1).join('')}…`.toWellFormed()
}
