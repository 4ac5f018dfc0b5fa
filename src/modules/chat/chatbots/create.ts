import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { drawPublicSlug } from '../../../platform/ids/draw-public-slug.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { insertWithSlug, slugify } from '../../../platform/text/slugify.ts'
import type { Chatbot, ChatbotCreate, Location } from './contract.ts'
import { chatbotEvents } from './events.ts'
import {
  type ChatbotValues,
  insertAddress,
  insertChatbot,
  insertCounters,
  insertUnlessSlugTaken,
  isSlugTaken,
} from './queries.ts'
import { requireModel, requireOwnIds } from './references.ts'
import { CHATBOTS_TOPIC, type ChatbotServices, keepLogo, newRevision, toChatbot } from './stored-chatbot.ts'

/** Used for names without Latin letters or digits. */
const SLUG_FALLBACK = 'chatbot'
const NO_LOCATION: Location = { enabled: false, address: null, lat: null, lng: null, place_id: null }

export async function createChatbot(
  ctx: Context,
  input: ChatbotCreate,
  { publicUrl, models, passwords }: ChatbotServices,
): Promise<Chatbot> {
  const { slug, password, location, ...sent } = input
  requireModel(models, sent.model, null)
  const passwordHash = password == null ? null : await passwords.hash(password, ctx.orgId)
  return ctx.write(async (tx) => {
    await requireOwnIds(tx, ctx.orgId, sent)
    const id = newId()
    const draft: Omit<ChatbotValues, 'slug'> = {
      id,
      public_slug: await drawPublicSlug((publicSlug) => insertAddress(tx, ctx.orgId, publicSlug, id)),
      name: sent.name,
      status: sent.status ?? 'draft',
      description: sent.description ?? null,
      welcome_message: sent.welcome_message ?? null,
      welcome_subtitle: sent.welcome_subtitle ?? null,
      system_prompt: sent.system_prompt ?? null,
      model: sent.model ?? null,
      primary_color: sent.primary_color ?? null,
      logo_url: sent.logo_url ?? null,
      tone: sent.tone ?? null,
      suggestions: sent.suggestions ?? null,
      human_support_enabled: sent.human_support_enabled ?? false,
      password_hash: passwordHash,
      page_ids: sent.page_ids ?? [],
      article_ids: sent.article_ids ?? [],
      category_ids: sent.category_ids ?? [],
      knowledge_base_ids: sent.knowledge_base_ids ?? [],
      location: { ...NO_LOCATION, ...sentFields(location ?? {}) },
      web_search_enabled: sent.web_search_enabled ?? false,
      office_hours: sent.office_hours ?? null,
      away_message: sent.away_message ?? null,
      default_language: sent.default_language ?? null,
      translations: sent.translations ?? {},
      revision: newRevision(),
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    const taken = await insertWithSlug(slug, slugify(draft.name, SLUG_FALLBACK), {
      insert: (sent) => insertChatbot(tx, ctx.orgId, { ...draft, slug: sent }),
      isTaken: (derived) => isSlugTaken(tx, ctx.orgId, derived),
      insertUnlessTaken: (derived) => insertUnlessSlugTaken(tx, ctx.orgId, { ...draft, slug: derived }),
    })
    const values = { ...draft, slug: taken }
    await insertCounters(tx, ctx.orgId, id)
    await keepLogo(tx, ctx.orgId, id, { before: null, after: values.logo_url }, ctx.now)
    await announce(tx, CHATBOTS_TOPIC, [values.public_slug])
    const chatbot = toChatbot({ ...values, conversation_count: 0, last_active_at: null }, publicUrl)
    await emit(tx, ctx.orgId, chatbotEvents, 'chatbot.created', chatbot, ctx.now)
    return chatbot
  })
}
