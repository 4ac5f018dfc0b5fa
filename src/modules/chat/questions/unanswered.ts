import type { Tx } from '../../../platform/db/index.ts'
import { joinGroup, lockGroups } from './groups.ts'
import type { VisitorQuestion } from './visitor-question.ts'

/** A question to which a chatbot said that it does not know. `messageId` is the question's, if it is stored. */
export type UnansweredQuestion = VisitorQuestion

/**
 * Adds a question to the group of those that mean the same. Call it in the transaction that stores the answer, last:
 * until that ends, other questions to the same chatbot wait.
 */
export async function recordUnanswered(tx: Tx, question: UnansweredQuestion): Promise<void> {
  const groups = await lockGroups(tx, question.orgId, question.chatbotId)
  await joinGroup(tx, question, groups, { isAsked: true, isNotHelpful: false })
}
