/** What understanding questions needs to know about a language, beyond what search knows. All words are folded. */
export interface QuestionWords {
  /** Words of questions that say nothing about their subject: "please", "want", "tell". */
  fillers: ReadonlySet<string>
  /** Removed before a text without spaces between words is divided. */
  fillerPhrases?: RegExp
  /** Matches questions about how to do something. */
  howTo: RegExp
  /** Matches questions that go on with the one before: "and for the big one?" */
  followUp: RegExp
  /** Words that visitors and writers use for the same thing. */
  synonyms: readonly (readonly string[])[]
  /** Kinds of which a thing is one or the other. A follow-up that names one of them means it in place of the other. */
  opposites: readonly (readonly [readonly string[], readonly string[]])[]
}

export const list = (words: string): string[] => words.trim().split(/\s+/)
/** One group per line. */
export const groups = (lines: string): string[][] => lines.trim().split('\n').map(list)
