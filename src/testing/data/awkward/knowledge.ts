import { newId } from '../../../platform/ids/index.ts'
import { ACME, type Insert, ON_THE_SECOND, TEXTS, THEN } from './values.ts'

/** Inserts a complete and a minimal knowledge base, and the address of a deleted one. Returns the id of the first. */
export async function fillKnowledgeBases(insert: Insert): Promise<string> {
  const base = { org_id: ACME, default_language: 'en', created_at: THEN, updated_at: ON_THE_SECOND }
  const contact = { contact_email: 'help@acme.com', contact_phone: '+49 30 1234567' }
  const full = { ...contact, description: TEXTS[2], logo_url: 'https://acme.com/logo.svg', primary_color: '#1a2b3c' }
  const bare = { contact_email: null, contact_phone: null, description: null, logo_url: null, primary_color: null }
  const [care, repair] = [newId(), newId()]
  await insert('knowledge_bases', [
    { ...base, ...full, id: care, name: TEXTS[0], slug: 'care', public_slug: 'aaaaaaaaaaaa', is_published: true },
    { ...base, ...bare, id: repair, name: TEXTS[1], slug: 'repair', public_slug: 'bbbbbbbbbbbb', is_published: false },
  ])
  await insert('knowledge_base_addresses', [
    { id: 'aaaaaaaaaaaa', org_id: ACME, knowledge_base_id: care },
    { id: 'bbbbbbbbbbbb', org_id: ACME, knowledge_base_id: repair },
    { id: 'cccccccccccc', org_id: ACME, knowledge_base_id: newId() },
  ])
  return care
}

/** Inserts a subcategory whose id sorts before its parent's, and articles with all related rows. */
export async function fillArticles(insert: Insert, knowledge_base_id: string): Promise<void> {
  const [parent, child] = [newId(), newId()].sort().reverse()
  const category = { org_id: ACME, knowledge_base_id, icon: 'star', sort_order: 7, created_at: THEN }
  await insert('article_categories', [
    { ...category, id: parent, parent_id: null, name: TEXTS[0], slug: 'a', description: null },
  ])
  await insert('article_categories', [
    { ...category, id: child, parent_id: parent, name: TEXTS[1], slug: 'b', description: TEXTS[2] },
  ])
  const [tagged, related] = [newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const states = { status: 'archived', visibility: 'internal', version_number: 2, indexing_status: 'not_started' }
  const article = { org_id: ACME, knowledge_base_id, language: 'ja', title_key: TEXTS[1], ...states, ...times }
  await insert('articles', [
    { ...article, id: tagged, category_id: child, slug: 'a', is_empty: true, published_at: THEN },
    { ...article, id: related, category_id: null, slug: 'b', is_empty: false, published_at: null },
  ])
  await insert('article_old_slugs', [{ org_id: ACME, slug: 'c', article_id: tagged, created_at: THEN }])
  const text = { org_id: ACME, title: TEXTS[0], revision: 3, ...times, search_text: '' }
  const long = { content: '长'.repeat(150_000), content_plain: TEXTS[2] }
  await insert('article_texts', [
    { ...text, ...long, id: newId(), article_id: tagged, language: 'ja' },
    { ...text, id: newId(), article_id: tagged, language: 'de', content: '', content_plain: '' },
    { ...text, id: newId(), article_id: related, language: 'ja', content: TEXTS[3], content_plain: TEXTS[3] },
  ])
  const version = {
    org_id: ACME,
    article_id: tagged,
    version_number: 1,
    title: TEXTS[1],
    language: 'ja',
    created_at: THEN,
  }
  await insert('article_versions', [{ ...version, id: newId(), change_summary: null, content: TEXTS[2] }])
  const tag = { id: newId(), org_id: ACME, name: 'tagged', name_folded: 'tagged', created_at: THEN }
  await insert('article_tags', [tag])
  await insert('article_tag_assignments', [{ org_id: ACME, article_id: tagged, tag_id: tag.id }])
  await insert('article_relations', [{ org_id: ACME, article_id: tagged, related_article_id: related, sort_order: 0 }])
}
