import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type Brand, toBrand } from '../../../../platform/look/index.ts'
import type { AnsweringBot } from '../../answering/index.ts'
import { type ChatbotTexts, toTexts } from '../../chatbot-texts/index.ts'
import { type ChatbotStatus, toAnsweringBot } from '../../chatbots/index.ts'
import type { OfficeHours } from '../../office-hours/index.ts'
import { selectPublicChatbot } from './queries.ts'

/** A chatbot as the pages of visitors need it. Not everything in it is for visitors: see `bot` and `passwordHash`. */
export interface PublicChatbot {
  id: string
  orgId: OrgId
  organisationName: string
  name: string
  publicSlug: string
  status: ChatbotStatus
  texts: ChatbotTexts
  /** That of the organisation, with what the chatbot has of its own. */
  brand: Brand
  /** Its own, or that of the organisation. */
  logoUrl: string | null
  humanSupport: boolean
  officeHours: OfficeHours | null
  /** Null if everyone may chat. */
  passwordHash: string | null
  /** Changes with everything that visitors see, and with the password. */
  revision: string
  /** What `Answering` needs. */
  bot: AnsweringBot
}

/** Finds chatbots that are not active, too. Undefined if there is none, or if it was deleted. */
export async function findPublicChatbot(db: Db, publicSlug: string): Promise<PublicChatbot | undefined> {
  const row = await selectPublicChatbot(db, publicSlug)
  if (row === undefined) return undefined
  const orgId = row.org_id
  return {
    id: row.id,
    orgId,
    organisationName: row.org_name,
    name: row.name,
    publicSlug: row.public_slug,
    status: row.status,
    texts: toTexts(row),
    brand: toBrand(row.brand, row),
    logoUrl: row.logo_url ?? row.org_logo_url,
    humanSupport: row.human_support_enabled,
    officeHours: row.office_hours as OfficeHours | null,
    passwordHash: row.password_hash,
    revision: row.revision,
    bot: toAnsweringBot(orgId, row),
  }
}
