import { recordUnanswered } from '../../modules/chat/questions/index.ts'
import { timestamp } from '../../platform/clock/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import type { Tables } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness } from '../harness.ts'

/** Records a question that a chatbot could not answer, each from another conversation. */
export function ask(
  harness: Harness,
  { orgId }: { orgId: OrgId },
  chatbotId: string,
  text: string,
  language: Language = 'en',
  conversationId: string | null = newId(),
): Promise<void> {
  const now = timestamp(harness.nowMs())
  const question = { orgId, chatbotId, conversationId, messageId: newId(), text, language, now }
  return harness.service.database.write((tx) => recordUnanswered(tx, question), orgId)
}

/** Inserts groups of questions to a chatbot, and of articles in a knowledge base, in two languages. */
export async function fillQuestions(
  harness: Harness,
  orgId: OrgId,
  count: number,
  { chatbot, base }: { chatbot: string; base: string },
): Promise<void> {
  const now = timestamp(harness.nowMs())
  const group = (n: number): Omit<Tables['question_groups'], 'kind' | 'scope_id' | 'article_id'> => ({
    id: newId(),
    org_id: orgId,
    language: n % 2 === 0 ? 'en' : 'de',
    question: `Question ${n}`,
    terms: ['question', String(n)],
    examples: [],
    comments: [],
    asked_count: 1 + (n % 7),
    not_helpful_count: 1,
    helpful_count: 0,
    last_conversation_id: null,
    is_listed: true,
    first_asked_at: now,
    last_asked_at: now,
  })
  await harness.service.database.write(async (tx) => {
    const questions = Array.from({ length: count }, (_, n) => group(n))
    await insertTestRows(
      tx,
      'question_groups',
      questions.map((row) => ({ ...row, kind: 'question' as const, scope_id: chatbot, article_id: null })),
    )
    const articles = tx.selectFrom('articles').select('id').where('org_id', '=', orgId)
    const found = await articles.where('knowledge_base_id', '=', base).limit(count).execute()
    await insertTestRows(
      tx,
      'question_groups',
      found.map(({ id }, n) => ({ ...group(n), kind: 'article' as const, scope_id: orgId, article_id: id })),
    )
  })
}
