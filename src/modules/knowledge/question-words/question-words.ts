import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { readLocale } from '../../../platform/text/load-texts.ts'

/** What understanding questions needs to know about a language, beyond what search knows. All words are folded. */
export interface QuestionWords {
  /** Words that people add to a question without changing what they ask: "hello", "please", "want". */
  fillers: ReadonlySet<string>
  /** Fillers, and other words that say little about the subject of a question: "long", "again". */
  weakWords: ReadonlySet<string>
  /** Only in a language without spaces between words: phrases, endings and particles that do not tell questions apart. */
  fillerPhrases?: RegExp | undefined
  /** Phrases that say little about the subject of a question, although their words may: "all the time". */
  weakPhrases?: RegExp | undefined
  /** Matches questions about how to do something. */
  howTo: RegExp
  /** Matches questions that go on with the one before: "and for the big one?" */
  followUp: RegExp
  /** All words of this file. They are spelled as they are meant. */
  all: ReadonlySet<string>
  /** Kinds of which a thing is one or the other. A follow-up that names one of them means it in place of the other. */
  opposites: readonly (readonly [readonly string[], readonly string[]])[]
}

/** `locales/<language>/question-words.json`: words separated by spaces, and patterns. */
interface QuestionWordsFile {
  fillers: string[]
  weakWords: string[]
  fillerPhrases?: string
  weakPhrases?: string
  howTo: string
  followUp: string
  opposites: [string, string][]
}

const NEVER = /(?!)/
const NO_WORDS: ReadonlySet<string> = new Set()
const UNKNOWN: QuestionWords = {
  ...{ fillers: NO_WORDS, weakWords: NO_WORDS, opposites: [] },
  ...{ howTo: NEVER, followUp: NEVER, all: NO_WORDS },
}

const cache = new Map<string, QuestionWords>()

/** Accepts any language tag: `de-AT` has the words of German. In a language that we know nothing about, only the words themselves count. */
export function wordsOf(tag: string): QuestionWords {
  const [primary = tag] = tag.split('-', 1)
  const cached = cache.get(primary)
  if (cached !== undefined) return cached
  const language = LANGUAGES.find((known) => known === primary)
  const file = language && readLocale(language, 'question-words')
  if (file === undefined) return UNKNOWN
  const words = toQuestionWords(file as QuestionWordsFile)
  cache.set(primary, words)
  return words
}

function toQuestionWords(file: QuestionWordsFile): QuestionWords {
  const { fillers, weakWords, fillerPhrases, weakPhrases, howTo, followUp, opposites } = file
  const pattern = (source: string | undefined) => (source === undefined ? undefined : new RegExp(source, 'giu'))
  return {
    fillers: new Set(fillers.flatMap(split)),
    weakWords: new Set([...fillers, ...weakWords].flatMap(split)),
    fillerPhrases: pattern(fillerPhrases),
    weakPhrases: pattern(weakPhrases),
    howTo: new RegExp(howTo, 'iu'),
    followUp: new RegExp(followUp, 'iu'),
    all: new Set([...fillers, ...weakWords, ...opposites.flat()].flatMap(split)),
    opposites: opposites.map(([one, other]) => [split(one), split(other)]),
  }
}

const split = (words: string): string[] => words.split(' ')
