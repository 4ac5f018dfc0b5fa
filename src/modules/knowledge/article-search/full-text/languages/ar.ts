import { type LanguageRules, wordSet } from './rules.ts'

const MARKS = /[\u0640\u064b-\u0655\u0670]/g
const PREFIX = /^(?:و?(?:بال|كال|فال|ال)|لل)(?=.{2})/
const CONJUNCTION = /^و(?=.{3})/
const SUFFIX = /(?<=^.{2,})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/

export const ar: LanguageRules = {
  letters: /^[\p{sc=Arabic}\p{M}]+$/u,
  /** Cuts the article, "and", and the most frequent endings; letters that are often written one for the other are made equal. */
  stem: (word) => {
    const bare = word.normalize('NFKD').replace(MARKS, '').replace(/ى$/, 'ي')
    const [before, after] = [bare, bare.replace(PREFIX, '')]
    const start = before === after ? before.replace(CONJUNCTION, '') : after
    return start.replace(SUFFIX, '').replace(SUFFIX, '')
  },
  functionWords: wordSet(`
    في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم أنا أنت نحن كيف متى أين لماذا ماذا ما هل لا لم لن أن إن
    كان كانت قد ثم أو و يا كل بعد قبل عند إذا حتى
  `),
}
