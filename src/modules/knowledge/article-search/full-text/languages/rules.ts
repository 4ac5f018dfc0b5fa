/** What search knows about a language. All words are folded. */
export interface LanguageRules {
  /** Returns the stem that a word shares with its other forms. Words have at least three of the `letters`. */
  stem: (word: string) => string
  /** Matches words that have stems. Without it, those of the letters a to z. */
  letters?: RegExp
  /** Whether several nouns are written as one word. */
  isCompounding?: boolean
  /** What verbs may have before them, or elsewhere in the sentence: "stelle … ein", "einstellen", "eingestellt". */
  verbPrefixes?: readonly string[]
  /** Words without a meaning of their own, such as articles and prepositions. */
  functionWords: ReadonlySet<string>
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

type Step = [pattern: RegExp, replacement: string]

/**
 * Stems by cutting endings, one step after the other. The rules are deliberately fewer than a grammar has: a word that
 * keeps an ending is still found by its exact form, while one that loses too much is found by unrelated words.
 */
export const cutEndings =
  (steps: readonly Step[]) =>
  (word: string): string =>
    steps.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), word)
