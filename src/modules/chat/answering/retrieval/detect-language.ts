import { LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { isFunctionWord, tokenize } from '../../../knowledge/article-search/index.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'

const BY_CHARACTERS: ReadonlySet<Language> = new Set(['ja', 'ko', 'zh'])
const BY_WORDS = LANGUAGES.filter((language) => !BY_CHARACTERS.has(language))

/** Pairs of languages that share many function words, each with spellings that the other does not have. */
const SIMILAR: readonly Readonly<Partial<Record<Language, RegExp>>>[] = [
  {
    es: /[¿¡ñ]|ción|(?:cómo|qué|dónde|cuándo|cuánto)|(?<!\p{L})(?:el|la|los|las|del|y)(?!\p{L})/giu,
    pt: /[ãõç]|lh|nh|(?<!\p{L})(?:o|a|os|as|do|da|dos|das|na|um|uma|e|em)(?!\p{L})/giu,
  },
  {
    no: /gj|kj|øy|sjon|(?<!\p{L})(?:hva|av|meg|deg|noe|mye|etter)(?!\p{L})/giu,
    da: /gø|kø|øj|ej|tion|(?<!\p{L})(?:hvad|af|mig|dig|noget|meget|efter)(?!\p{L})/giu,
  },
]

/** Returns the one of two similar languages that a text has more spellings of. */
function bySpelling(text: string, tied: readonly Language[]): Language | undefined {
  const spellings = SIMILAR.find((pair) => tied.length === 2 && tied.every((language) => language in pair))
  if (spellings === undefined) return undefined
  const [first, second] = tied
    .map((language) => ({ language, count: text.match(spellings[language] ?? /^$/g)?.length ?? 0 }))
    .sort((a, b) => b.count - a.count)
  return first?.count === second?.count ? undefined : first?.language
}

/** Returns the language of a question, by its script or its function words; undefined if that is not clear. */
export function detectLanguage(text: string): Language | undefined {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return 'ja'
  if (/\p{sc=Hangul}/u.test(text)) return 'ko'
  if (/\p{sc=Han}/u.test(text)) return 'zh'
  const start = text.slice(0, 1000)
  const words = [...tokenize(start, false)].map((token) => token.text)
  const scores = BY_WORDS.map((language) => {
    const known = words.filter((word) => isFunctionWord(word, language))
    const weak = words.filter((word) => wordsOf(language).weakWords.has(word))
    return { language, score: known.length + weak.length / 2 }
  }).sort((a, b) => b.score - a.score)
  const best = scores[0]?.score ?? 0
  if (best < 1) return undefined
  const tied = scores.filter(({ score }) => score === best).map(({ language }) => language)
  return tied.length === 1 ? tied[0] : bySpelling(start, tied)
}
