import type { Language } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFacts, type ScannedThing } from '../../codes/scanned-things/index.ts'
import { type AskedQuestion, detectLanguage } from '../answering/index.ts'
import type { Conversations, StoredConversation, StoredMessage } from '../conversations/index.ts'

/** What was said before is needed to understand "and the big one?", but not from long ago. */
const HISTORY_MESSAGES_MAX = 10

/** What a message says. */
export const textOf = ({ parts }: StoredMessage): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && text !== null ? [text] : [])).join('\n')

/** Three words, or a script that only few languages use. */
const TELLING = /\S\s+\S+\s+\S|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Visitors may ask in another language than that of their browser. A word or two do not tell which one. */
export const languageOf = (text: string, ofPage: Language): Language =>
  (TELLING.test(text) ? detectLanguage(text) : undefined) ?? ofPage

/** What was scanned before the conversation began. */
export function scannedIn({ qrCodeId, productId, objectId }: StoredConversation): ScannedThing | null {
  if (objectId !== null) return { kind: 'object', id: objectId }
  if (productId !== null) return { kind: 'product', id: productId }
  return qrCodeId === null ? null : { kind: 'qr_code', id: qrCodeId }
}

export async function factsOf(db: Db, conversation: StoredConversation): Promise<AskedQuestion['facts']> {
  const scanned = scannedIn(conversation)
  return scanned === null ? new Map() : findFacts(db, conversation.orgId, scanned)
}

export async function historyBefore(
  conversations: Conversations,
  db: Db,
  conversation: StoredConversation,
  questionId: string,
): Promise<AskedQuestion['history']> {
  const messages = await conversations.listLastMessages(db, conversation, HISTORY_MESSAGES_MAX + 1)
  return messages.flatMap((message) => {
    const { id, role } = message
    return role === 'system' || id >= questionId ? [] : [{ role, text: textOf(message) }]
  })
}
