import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import { setAssetReferences } from '../../assets/assets/index.ts'
import { type ChatbotTranslations, inOrder } from '../chatbot-texts/index.ts'
import type { OfficeHours } from '../office-hours/index.ts'
import type { Chatbot, Location } from './contract.ts'
import type { ChatbotRow } from './queries.ts'

/** Announced when visitors must see a change. The key is the public slug. */
export const CHATBOTS_TOPIC = 'chatbots'

/** What creating and changing a chatbot needs. */
export interface ChatbotServices {
  publicUrl: string
  /** What `model` can be. */
  models: readonly string[]
  /** Organisations take turns at it. */
  passwords: Pick<PasswordHasher, 'hash'>
}

const REVISION_LENGTH = 10

export const newRevision = (): string => randomBase62(REVISION_LENGTH)

/** Keeps the stored file of the logo. */
export const keepLogo = (
  tx: Tx,
  orgId: OrgId,
  id: string,
  logo: { before: string | null; after: string | null },
  now: Timestamp,
) => setAssetReferences(tx, orgId, { kind: 'chatbot', id }, [logo.after], now, { before: [logo.before] })

export function toChatbot(row: ChatbotRow, publicUrl: string): Chatbot {
  const { id, name, slug, public_slug, status, description, welcome_message, welcome_subtitle, system_prompt } = row
  return {
    object: 'chatbot',
    id,
    name,
    slug,
    public_slug,
    url: `${publicUrl}/c/${public_slug}`,
    status,
    description,
    welcome_message,
    welcome_subtitle,
    system_prompt,
    model: row.model,
    primary_color: row.primary_color,
    logo_url: row.logo_url,
    tone: row.tone as Chatbot['tone'],
    suggestions: row.suggestions,
    human_support_enabled: row.human_support_enabled,
    password_protected: row.password_hash !== null,
    page_ids: row.page_ids,
    article_ids: row.article_ids,
    category_ids: row.category_ids,
    knowledge_base_ids: row.knowledge_base_ids,
    location: row.location as Location,
    web_search_enabled: row.web_search_enabled,
    office_hours: row.office_hours as OfficeHours | null,
    away_message: row.away_message,
    default_language: row.default_language,
    translations: inOrder(row.translations as ChatbotTranslations),
    conversation_count: Number(row.conversation_count),
    last_active_at: row.last_active_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
