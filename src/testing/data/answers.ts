import type { AnsweringBot, AskedQuestion, Passage } from '../../modules/chat/answering/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'

/** A passage as retrieval returns it. */
export const passage = (changes: Partial<Passage> & { plain: string }): Passage => ({
  id: 1,
  articleId: newId(),
  versionNumber: 3,
  language: 'en',
  title: 'Care',
  headings: [],
  markdown: changes.plain,
  url: '',
  score: 1,
  isRelated: true,
  ...changes,
})

export const botOf = (orgId: OrgId, changes: Partial<AnsweringBot> = {}): AnsweringBot => ({
  id: newId(),
  orgId,
  name: 'Helper',
  model: null,
  systemPrompt: null,
  tone: null,
  articleIds: [],
  categoryIds: [],
  knowledgeBaseIds: [],
  humanSupport: false,
  ...changes,
})

export const questionTo = (
  bot: AnsweringBot,
  text: string,
  changes: Partial<Omit<AskedQuestion, 'bot' | 'text'>> = {},
): AskedQuestion => ({ bot, text, language: 'en', history: [], facts: new Map(), ...changes })
