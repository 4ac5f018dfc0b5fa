import { LANGUAGES, type Language } from '../../../../platform/contract/languages.ts'
import { isFunctionWord, tokenize } from '../../../knowledge/article-search/index.ts'
import { WORDS } from './words/index.ts'

const BY_CHARACTERS: ReadonlySet<Language> = new Set(['ja', 'ko', 'zh'])
const BY_WORDS = LANGUAGES.filter((language) => !BY_CHARACTERS.has(language))

/** Returns the language of a question, by its script or its function words; undefined if that is not clear. */
export function detectLanguage(text: string): Language | undefined {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return 'ja'
  if (/\p{sc=Hangul}/u.test(text)) return 'ko'
  if (/\p{sc=Han}/u.test(text)) return 'zh'
  const words = [...tokenize(text.slice(0, 1000), false)].map((token) => token.text)
  const scores = BY_WORDS.map((language) => {
    const known = words.filter((word) => isFunctionWord(word, language))
    const fillers = words.filter((word) => WORDS[language].fillers.has(word))
    return { language, score: known.length + fillers.length / 2 }
  }).sort((a, b) => b.score - a.score)
  const [first, second] = scores
  if (first === undefined || first.score < 1 || first.score === second?.score) return undefined
  return first.language
}
