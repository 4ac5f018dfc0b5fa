import { newId } from '../../../platform/ids/index.ts'
import { ACME, addressed, type Insert, ON_THE_SECOND, slugOf, TEXTS, THEN } from './values.ts'

/** Inserts a complete and a minimal page, and what remains of a deleted one. */
export async function fillPages(insert: Insert): Promise<void> {
  const [full, bare, deleted] = [newId(), newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const look = { background: '{"type":"color"}', island: '{"opacity":0.1}', proof_of_work: 'always' }
  const page = { org_id: ACME, default_language: 'ja', revision: 'r', ...look, ...times }
  const texts = { description: TEXTS[2], meta_title: TEXTS[0], meta_description: TEXTS[1] }
  const urls = { favicon_url: 'https://acme.com/a.png', og_image_url: 'https://acme.com/b.png' }
  const none = { description: null, meta_title: null, meta_description: null, favicon_url: null, og_image_url: null }
  const lists = { languages: '["ja","de"]', notify_user_ids: JSON.stringify([newId()]) }
  const empty = { languages: '["ja"]', notify_user_ids: '[]', translations: '{}' }
  const translations = JSON.stringify({ de: { title: TEXTS[1] } })
  await insert('pages', [
    { ...page, ...texts, ...urls, ...lists, translations, id: full, title: TEXTS[0], ...addressed('a', 'active') },
    { ...page, ...none, ...empty, id: bare, title: TEXTS[3], ...addressed('b', 'draft') },
  ])
  const block = { id: newId(), type: 'heading', config: { text: { ja: TEXTS[0], de: TEXTS[1] } }, sort_order: 0 }
  await insert('page_blocks', [
    { page_id: full, org_id: ACME, blocks: JSON.stringify([block]) },
    { page_id: bare, org_id: ACME, blocks: '[]' },
  ])
  const counter = { org_id: ACME, view_count: 9007199254740991, submission_count: 0 }
  const ids = [full, bare, deleted]
  await insert(
    'page_counters',
    ids.map((page_id) => ({ ...counter, page_id })),
  )
  await insert(
    'page_addresses',
    ids.map((page_id, n) => ({ id: slugOf('abc'.charAt(n)), org_id: ACME, page_id })),
  )
}

/** Inserts submissions of a page that was deleted: one with everything, one with nothing, and one that was erased. */
export async function fillSubmissions(insert: Insert): Promise<void> {
  const page_id = newId()
  const answer = (value: unknown) => ({ type: 'form_text', label: TEXTS[1], value, order: 0 })
  const same = { org_id: ACME, page_id, created_at: THEN, updated_at: ON_THE_SECOND, search_text: TEXTS[2] }
  const empty = {
    ...{ status: 'spam', priority: 'none', flagged: false, assignee_id: null, resolved_by: null, resolved_at: null },
    ...{ notes: null, data: '{}', metadata: '{}', spam_reason: 'too_fast', viewed_at: null, duration_seconds: null },
    ...{ scan_id: null, qr_code_id: null, product_id: null, object_id: null },
  }
  const full = {
    ...{ status: 'resolved', priority: 'high', flagged: true, assignee_id: newId(), resolved_by: newId() },
    ...{ resolved_at: THEN, notes: TEXTS[3], metadata: JSON.stringify({ a: TEXTS[1] }), spam_reason: null },
    data: JSON.stringify({ a: answer(TEXTS[0]), b: answer(-0.5), c: answer([]), d: answer(null) }),
    ...{ viewed_at: ON_THE_SECOND, duration_seconds: 0, scan_id: newId(), qr_code_id: newId(), product_id: newId() },
    object_id: newId(),
  }
  const id = newId()
  await insert('submissions', [
    { ...same, ...full, id, number: 1 },
    { ...same, ...empty, id: newId(), number: 3 },
  ])
  const activity = { org_id: ACME, submission_id: id, type: 'assigned', created_at: THEN }
  await insert('submission_events', [
    { ...activity, id: newId(), actor_id: newId(), from_value: null, to_value: newId() },
    { ...activity, id: newId(), actor_id: null, from_value: 'new', to_value: null },
  ])
  await insert('submission_keys', [{ id: TEXTS[1], org_id: ACME, submission_id: id, created_at: THEN }])
  await insert('erased_submissions', [{ id: newId(), org_id: ACME, page_id, number: 2, erased_at: THEN }])
}
