import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { textIn, toTexts } from '../chatbot-texts/index.ts'
import { isOpen, type OfficeHours } from '../office-hours/index.ts'
import type { Notice, Transition } from './lifecycle.ts'
import { type NewMessage, toText } from './messages/stored-message.ts'
import { type ConversationRow, selectAvailability } from './queries.ts'
import { NOTICE_TEXTS } from './texts.ts'

const toNotice = (notice: Notice | 'away', text: string): NewMessage => ({
  role: 'system',
  metadata: { notice },
  parts: [toText(text)],
})

/** The messages that a change of the status adds, in the language of the visitor. The chatbot may speak a better one. */
export async function noticesOf(
  db: Db,
  orgId: OrgId,
  { to, notice }: Transition,
  { chatbot_id, language }: ConversationRow,
  now: Timestamp,
  accepted: string = language,
): Promise<NewMessage[]> {
  const texts = NOTICE_TEXTS[language as Language]
  if (notice !== undefined) return [toNotice(notice, texts[notice])]
  if (to !== 'agent_requested') return []
  const chatbot = await selectAvailability(db, orgId, chatbot_id)
  if (chatbot === undefined || isOpen(chatbot.office_hours as OfficeHours | null, toMs(now))) return []
  const { text } = textIn(toTexts(chatbot), 'away_message', accepted)
  return [toNotice('away', text ?? texts.away)]
}
