import type { Language } from '../../../platform/contract/languages.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type Tone = 'professional' | 'friendly' | 'casual' | 'formal' | 'empathetic'

/** What a chatbot may use, and how it speaks. */
export interface AnsweringBot {
  id: string
  orgId: OrgId
  name: string
  /** Null for the default of the installation. */
  model: string | null
  systemPrompt: string | null
  tone: Tone | null
  /** Without any of these, the bot may use all public and chatbot-only articles. A category includes its subtree. */
  articleIds: string[]
  categoryIds: string[]
  knowledgeBaseIds: string[]
  humanSupport: boolean
}

export interface AskedQuestion {
  bot: AnsweringBot
  text: string
  /** Undefined: recognised from the text. */
  language: Language | undefined
  /** Oldest first, without the question itself. */
  history: readonly { role: 'user' | 'assistant'; text: string }[]
  /** What is known about the scanned thing, by the names of `findFacts`. */
  facts: ReadonlyMap<string, string>
}

export interface Citation {
  article_id: string
  version_number: number
  title: string
  /** Empty unless everyone may read the article in a help centre. */
  url: string
  /** Plain text. */
  snippet: string
}

export interface NearestArticle {
  article_id: string
  title: string
  url: string
}

export interface Answer {
  /**
   * Markdown: paragraphs, emphasis, lists, tables, code and absolute links. In the answer of a model, `[1]` refers to the
   * first of `citations`.
   */
  text: string
  citations: Citation[]
  /** `embedded` or the name of a model. */
  model: string
  credits: number
  /** False: the text says that the bot does not know, or that it cannot answer now. */
  isAnswered: boolean
  /** A limit is the reason why there is no answer: it says nothing about the articles. */
  isLimited?: true
  language: Language
  /** The question without its misspelt words, if that is what was answered. */
  correctedQuestion?: string
  /** What may help instead. Empty if the question is answered. */
  nearest: NearestArticle[]
}
