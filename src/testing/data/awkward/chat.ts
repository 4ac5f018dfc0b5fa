import { newId } from '../../../platform/ids/index.ts'
import { ACME, addressed, type Insert, ON_THE_SECOND, slugOf, TEXTS, THEN } from './values.ts'

/** Inserts a complete and a minimal chatbot, what remains of a deleted one, and what their answers cost. */
export async function fillChatbots(insert: Insert): Promise<void> {
  const [full, bare, deleted] = [newId(), newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const same = { org_id: ACME, name_key: TEXTS[1], search_text: TEXTS[2], revision: 'r', ...times }
  const texts = {
    description: TEXTS[2],
    welcome_message: TEXTS[0],
    welcome_subtitle: TEXTS[1],
    system_prompt: TEXTS[3],
  }
  const look = { model: 'embedded', primary_color: '#1a2b3c', logo_url: 'https://acme.com/logo.svg', tone: 'casual' }
  const support = { human_support_enabled: true, password_hash: '$argon2id$', away_message: TEXTS[0] }
  const hours = { time_zone: 'Asia/Kolkata', days: { monday: [{ from: '09:00', to: '24:00' }], sunday: [] } }
  const ids = JSON.stringify([newId(), newId()])
  const lists = { page_ids: ids, article_ids: ids, category_ids: '[]', knowledge_base_ids: ids }
  const none = {
    ...{ description: null, welcome_message: null, welcome_subtitle: null, system_prompt: null, model: null },
    ...{ primary_color: null, logo_url: null, tone: null, suggestions: null, human_support_enabled: false },
    ...{ password_hash: null, office_hours: null, away_message: null, location: '{}', web_search_enabled: false },
    ...{ page_ids: '[]', article_ids: '[]', category_ids: '[]', knowledge_base_ids: '[]' },
    ...{ default_language: null, translations: '{}' },
  }
  const place = { location: JSON.stringify({ enabled: true, lat: -0.5, lng: 179.999999, place_id: null }) }
  const says = { welcome_message: TEXTS[1], welcome_subtitle: null, suggestions: TEXTS, away_message: TEXTS[2] }
  const translations = JSON.stringify({ ar: says, 'pt-BR': says })
  const json = {
    ...place,
    translations,
    default_language: 'he',
    suggestions: JSON.stringify(TEXTS),
    office_hours: JSON.stringify(hours),
  }
  const everything = { ...texts, ...look, ...support, ...lists, ...json, web_search_enabled: true }
  await insert('chatbots', [{ ...same, ...everything, id: full, name: TEXTS[0], ...addressed('a', 'active') }])
  await insert('chatbots', [{ ...same, ...none, id: bare, name: TEXTS[3], ...addressed('b', 'draft') }])
  await insert('chatbot_counters', [
    { chatbot_id: full, org_id: ACME, conversation_count: 9007199254740991, last_active_at: ON_THE_SECOND },
    { chatbot_id: bare, org_id: ACME, conversation_count: 0, last_active_at: null },
  ])
  await insert(
    'chatbot_addresses',
    [full, bare, deleted].map((chatbot_id, n) => ({ id: slugOf('abc'.charAt(n)), org_id: ACME, chatbot_id })),
  )
  await insert('credit_balances', [{ org_id: ACME, balance: 9007199254740991, updated_at: THEN }])
  const entry = { org_id: ACME, balance: 9007199254740991, created_at: THEN }
  await insert('credit_entries', [
    { ...entry, id: newId(), amount: 9007199254740991, reason: 'adjustment', message_id: null },
    { ...entry, id: newId(), amount: -1, reason: 'answer', message_id: newId() },
    { ...entry, id: newId(), amount: -1, reason: 'answer', message_id: null },
  ])
}

/** Inserts a conversation with everything, and one with nothing. */
export async function fillConversations(insert: Insert): Promise<void> {
  const [full, bare, tag] = [newId(), newId(), newId()]
  const same = { org_id: ACME, chatbot_id: newId(), created_at: THEN, active_at: ON_THE_SECOND, changed_at: THEN }
  const everything = {
    ...{ status: 'resolved', priority: 'high', title: TEXTS[0], language: 'ja', assigned_to: newId() },
    ...{ contact_email: 'visitor@acme.example', contact_name: TEXTS[1], contact_phone: TEXTS[2] },
    ...{ last_message_preview: TEXTS[3], last_message_at: ON_THE_SECOND, agent_read_at: THEN, visitor_read_at: THEN },
    ...{
      visitor_seen_at: THEN,
      visitor_mailed_at: THEN,
      team_mailed_at: THEN,
      resolved_at: THEN,
      closed_at: ON_THE_SECOND,
    },
    ...{ scan_id: newId(), qr_code_id: newId(), product_id: newId(), object_id: newId() },
  }
  const nothing = {
    ...{ status: 'bot_active', priority: 'low', title: null, language: 'en', assigned_to: null },
    ...{ contact_email: null, contact_name: null, contact_phone: null },
    ...{ last_message_preview: null, last_message_at: null, agent_read_at: null, visitor_read_at: null },
    ...{ visitor_seen_at: null, visitor_mailed_at: null, team_mailed_at: null, resolved_at: null, closed_at: null },
    ...{ scan_id: null, qr_code_id: null, product_id: null, object_id: null },
  }
  await insert('conversations', [
    { ...same, ...everything, id: full },
    { ...same, ...nothing, id: bare },
  ])
  const message = { org_id: ACME, conversation_id: full, created_at: THEN }
  const part = { id: newId(), type: 'text', text: TEXTS[2] }
  const question = newId()
  await insert('messages', [
    { ...message, id: question, role: 'user', metadata: '{}', parts: '[]', message_key: TEXTS[1], answer_to: null },
    {
      ...{ ...message, id: newId(), role: 'assistant', message_key: null, answer_to: question },
      ...{ metadata: JSON.stringify({ a: TEXTS[1] }), parts: JSON.stringify([part]) },
    },
  ])
  const of = { org_id: ACME, conversation_id: full }
  await insert('conversation_files', [
    { ...of, file_id: newId(), file_name: TEXTS[0], media_type: 'image/jpeg', size_bytes: 0 },
  ])
  const token = { ...of, expires_at: ON_THE_SECOND, created_at: THEN }
  await insert('conversation_tokens', [
    { ...token, id: TEXTS[1], purpose: 'visitor' },
    { ...token, id: TEXTS[2], purpose: 'resume' },
  ])
  await insert('conversation_changes', [{ ...of, created_at: ON_THE_SECOND }])
  await insert('conversation_notes', [
    { ...of, id: newId(), author_id: newId(), content: TEXTS[3], created_at: THEN },
    { ...of, id: newId(), author_id: null, content: TEXTS[0], created_at: THEN },
  ])
  await insert('conversation_tags', [
    { id: tag, org_id: ACME, name: TEXTS[0], name_folded: TEXTS[0], color: '#1a2b3c', created_at: THEN },
    { id: newId(), org_id: ACME, name: TEXTS[1], name_folded: TEXTS[1], color: null, created_at: THEN },
  ])
  await insert('conversation_tag_assignments', [{ ...of, tag_id: tag }])
}

/** Inserts a group of questions with keys, an article's group, and votes. */
export async function fillQuestions(insert: Insert): Promise<void> {
  const times = { first_asked_at: THEN, last_asked_at: ON_THE_SECOND }
  const group = { org_id: ACME, language: 'ja', asked_count: 9007199254740991, not_helpful_count: 0, ...times }
  const example = { question: TEXTS[2], count: 1, conversation_id: null, message_id: newId(), last_asked_at: THEN }
  const [asked, voted] = [newId(), newId()]
  const json = { terms: JSON.stringify(TEXTS), examples: JSON.stringify([example]) }
  const question = { kind: 'question', article_id: null, scope_id: newId(), question: TEXTS[0], ...json }
  const empty = { kind: 'article', scope_id: ACME, question: '', terms: '[]', examples: '[]' }
  await insert('question_groups', [
    { ...group, ...question, id: asked, helpful_count: 3, last_conversation_id: newId(), is_listed: true },
    { ...group, ...empty, id: voted, helpful_count: 0, last_conversation_id: null, article_id: null, is_listed: false },
  ])
  await insert('question_keys', [
    { org_id: ACME, key: 281474976710655, group_id: asked },
    { org_id: ACME, key: 0, group_id: asked },
  ])
  const vote = { org_id: ACME, created_at: THEN }
  await insert('answer_votes', [
    { ...vote, message_id: newId(), group_id: asked, is_helpful: false, is_counted: true },
    { ...vote, message_id: newId(), group_id: null, is_helpful: true, is_counted: false },
  ])
  await insert('article_votes', [{ ...vote, id: TEXTS[1], article_id: newId(), language: 'ja', is_helpful: true }])
}
