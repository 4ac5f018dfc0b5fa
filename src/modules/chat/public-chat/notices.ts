import { NoticePages } from '../../../platform/notices/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import { TEXTS, type Texts } from './texts.ts'

export type NoticeKind = keyof Texts['notices']

/** What visitors see instead of a chat. */
export const NOTICES = new NoticePages<NoticeKind>(
  {
    gone: { status: 410, scene: 'gone' },
    unknown: { status: 404, scene: 'unknown' },
    unavailable: { status: 503, scene: 'unavailable' },
  },
  (language) => TEXTS[language].notices,
)

/** Undefined for a chatbot that visitors may use. */
export function noticeFor(found: PublicChatbot | 'gone' | undefined): NoticeKind | undefined {
  if (found === 'gone') return 'gone'
  return found?.status === 'active' ? undefined : 'unknown'
}
