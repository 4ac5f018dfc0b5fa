import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { mostTypical } from './examples.ts'
import { lockGroups } from './groups.ts'
import { deleteGroup, selectGroup, selectGroupsAskedIn, updateGroup } from './queries.ts'
import { termsOf } from './terms.ts'

/** The groups that quote this conversation. To be called outside a transaction: it reads all groups of the chatbot. */
export const findGroupsOf = selectGroupsAskedIn

/**
 * Removes what a visitor asked in a conversation that is erased. A question that others have put with the same words stays,
 * without the conversation. A group without any other question is deleted. Counts stay.
 */
export async function forgetConversation(
  tx: Tx,
  orgId: OrgId,
  chatbotId: string,
  conversationId: string,
  groupIds: readonly string[],
): Promise<void> {
  await lockGroups(tx, orgId, chatbotId)
  for (const id of groupIds) {
    const group = await selectGroup(tx, orgId, id)
    if (group === undefined) continue
    const examples = group.examples
      .filter((example) => example.conversation_id !== conversationId || example.count > 1)
      .map((example) =>
        example.conversation_id === conversationId ? { ...example, conversation_id: null, message_id: null } : example,
      )
    if (examples.length === 0) {
      await deleteGroup(tx, orgId, id)
      continue
    }
    const question = mostTypical(examples)
    await updateGroup(tx, orgId, id, {
      examples,
      question,
      terms: termsOf(question, group.language as ContentLanguage),
    })
  }
}
