import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Credits } from '../../account/credits/index.ts'
import type { Answering, AnsweringBot } from '../answering/index.ts'
import { recordUnanswered } from '../questions/index.ts'
import { noteMessage } from './activity.ts'
import type { Answered, Question, Tone } from './contract.ts'
import type { ChatbotRow } from './queries.ts'
import { requireChatbot } from './service.ts'

export interface AskServices {
  answering: Pick<Answering, 'ask' | 'creditsOf'>
  credits: Pick<Credits, 'require' | 'priceOf' | 'spend'>
}

/**
 * Answers a question and charges it in one transaction after the answer. Between the first look at the balance and that
 * transaction, other answers may use up the credits. Then nothing is charged, and the answer is not returned either.
 */
export async function askChatbot(
  ctx: Context,
  id: string,
  { question, language }: Question,
  { answering, credits }: AskServices,
): Promise<Answered> {
  const bot = toAnsweringBot(ctx.orgId, await requireChatbot(ctx.read, ctx.orgId, id))
  await credits.require(ctx.read, ctx.orgId, answering.creditsOf(bot), 'team')
  const asked = { bot, text: question, language, history: [], facts: new Map() }
  const answer = await answering.ask(asked, { signal: ctx.signal })
  return ctx.write(async (tx) => {
    await noteMessage(tx, ctx.orgId, id, ctx.now)
    if (!answer.isAnswered) {
      const nowhere = { conversationId: null, messageId: null }
      const asked = { orgId: ctx.orgId, chatbotId: id, text: question, language: answer.language, now: ctx.now }
      await recordUnanswered(tx, { ...asked, ...nowhere })
    }
    const price = await credits.priceOf(tx, ctx.orgId, answer.credits)
    await credits.spend(tx, ctx.orgId, price, { messageId: null, asker: 'team' }, ctx.now)
    const { text, citations, model, correctedQuestion = null } = answer
    return {
      ...{ object: 'answer' as const, text, citations, model, credits_used: price },
      corrected_question: correctedQuestion,
    }
  })
}

export const toAnsweringBot = (
  orgId: OrgId,
  row: Pick<
    ChatbotRow,
    | 'id'
    | 'name'
    | 'model'
    | 'system_prompt'
    | 'tone'
    | 'article_ids'
    | 'category_ids'
    | 'knowledge_base_ids'
    | 'human_support_enabled'
  >,
): AnsweringBot => ({
  id: row.id,
  orgId,
  name: row.name,
  model: row.model,
  systemPrompt: row.system_prompt,
  tone: row.tone as Tone | null,
  articleIds: row.article_ids,
  categoryIds: row.category_ids,
  knowledgeBaseIds: row.knowledge_base_ids,
  humanSupport: row.human_support_enabled,
})
