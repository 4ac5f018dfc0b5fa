import { lockTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { addExample, mostTypical, shorten } from './examples.ts'
import {
  deleteGroup,
  type GroupChange,
  insertGroup,
  type StoredGroup,
  selectGroup,
  selectGroupsByKeys,
  selectLeastRecent,
  selectTerms,
  updateGroup,
} from './queries.ts'
import { keysOf, type QuestionKeys, similarity, termsOf } from './terms.ts'
import type { VisitorQuestion } from './visitor-question.ts'

/** What a question adds to its group. */
interface Added {
  /** Whether nobody counted it before. */
  isAsked: boolean
  isNotHelpful: boolean
}

const GROUPS_MAX = 10_000
/** Groups that share a term. With more, the term says little, and another one finds the group. */
const GROUPS_PER_TERM = 50
const GROUPS_PER_MISSPELLING = 20
/** Groups that are compared with a question. */
const COMPARED_MAX = 20

/**
 * Makes transactions of a chatbot wait for each other, so that two questions with the same meaning cannot both create a
 * group. Returns how many groups there are.
 */
export const lockGroups = (tx: Tx, orgId: OrgId, scopeId: string): Promise<number> =>
  lockTotal(tx, orgId, totalOf('question_groups', 'scope_id', scopeId))

/** Finds the group of the questions that mean the same. */
export async function findGroup(tx: Tx, question: VisitorQuestion): Promise<StoredGroup | undefined> {
  return (await findWithKeys(tx, question))?.group
}

/** The group that a question joined, and whether it was counted there. */
export interface Joined {
  id: string
  isCounted: boolean
}

/**
 * Adds a question to the group of those that mean the same, or creates one. A visitor who repeats a question is not
 * counted again. Returns undefined for a text without any word.
 */
export async function joinGroup(
  tx: Tx,
  question: VisitorQuestion,
  groups: number,
  { isAsked, isNotHelpful }: Added,
): Promise<Joined | undefined> {
  const { orgId, chatbotId, conversationId, text, language, now } = question
  const found = await findWithKeys(tx, question)
  if (found === undefined) return undefined
  const { group, terms, keys } = found
  const notHelpful = isNotHelpful ? 1 : 0
  if (group === undefined) {
    const created: StoredGroup = {
      id: newId(),
      scope_id: chatbotId,
      kind: 'question',
      article_id: null,
      language,
      question: shorten(text),
      terms,
      examples: addExample([], question),
      comments: [],
      asked_count: 1,
      not_helpful_count: notHelpful,
      helpful_count: 0,
      last_conversation_id: conversationId,
      is_listed: true,
      first_asked_at: now,
      last_asked_at: now,
    }
    await makeRoom(tx, orgId, chatbotId, groups)
    await insertGroup(tx, orgId, created, [keys.whole, ...keys.terms, ...keys.misspellings])
    return { id: created.id, isCounted: true }
  }
  const isCounted = isAsked && (conversationId === null || conversationId !== group.last_conversation_id)
  await updateGroup(tx, orgId, group.id, {
    ...(isCounted && countOnce(group, question)),
    not_helpful_count: group.not_helpful_count + notHelpful,
    last_asked_at: now > group.last_asked_at ? now : group.last_asked_at,
  })
  return { id: group.id, isCounted }
}

function countOnce(group: StoredGroup, question: VisitorQuestion): GroupChange {
  const examples = addExample(group.examples, question)
  return {
    examples,
    question: mostTypical(examples),
    asked_count: group.asked_count + 1,
    last_conversation_id: question.conversationId,
  }
}

/** Undefined for a text without any word. */
async function findWithKeys(tx: Tx, { orgId, chatbotId, text, language }: VisitorQuestion) {
  const terms = termsOf(text, language)
  if (terms.length === 0) return undefined
  const keys = keysOf(chatbotId, language, terms)
  const id = await findSimilar(tx, orgId, terms, keys)
  return { terms, keys, group: id === undefined ? undefined : await selectGroup(tx, orgId, id) }
}

/** Deletes the group that was asked least recently if there are as many as there may be. */
export async function makeRoom(tx: Tx, orgId: OrgId, scopeId: string, groups: number): Promise<void> {
  if (groups < GROUPS_MAX) return
  const id = await selectLeastRecent(tx, orgId, scopeId)
  if (id !== undefined) await deleteGroup(tx, orgId, id)
}

/** Compares the question with the groups that share most terms with it; only if there is none, with misspelt ones. */
async function findSimilar(
  tx: Tx,
  orgId: OrgId,
  terms: readonly string[],
  keys: QuestionKeys,
): Promise<string | undefined> {
  const exact = await mostSimilar(tx, orgId, terms, [keys.whole, ...keys.terms], GROUPS_PER_TERM)
  return exact ?? (await mostSimilar(tx, orgId, terms, [...keys.terms, ...keys.misspellings], GROUPS_PER_MISSPELLING))
}

async function mostSimilar(
  tx: Tx,
  orgId: OrgId,
  terms: readonly string[],
  keys: readonly number[],
  limit: number,
): Promise<string | undefined> {
  const shared = new Map<string, number>()
  for (const { group_id } of await selectGroupsByKeys(tx, orgId, keys, limit)) {
    shared.set(group_id, (shared.get(group_id) ?? 0) + 1)
  }
  if (shared.size === 0) return undefined
  const compared = [...shared]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, COMPARED_MAX)
    .map(([id]) => id)
  const groups = await selectTerms(tx, orgId, compared)
  const [best] = groups
    .map((group) => ({ id: group.id, score: similarity(terms, group.terms) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
  return best?.id
}
