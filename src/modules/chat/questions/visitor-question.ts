import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** A question that a visitor asked. */
export interface VisitorQuestion {
  orgId: OrgId
  chatbotId: string
  /** Null for a question that was asked through the API. */
  conversationId: string | null
  messageId: string | null
  /** The question as the visitor wrote it. */
  text: string
  language: ContentLanguage
  now: string
}
