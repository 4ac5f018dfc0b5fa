import { stemEnglish } from './english.ts'

/** In each step the first alternative that fits is cut off, or replaced. */
type Step = [ending: RegExp, put: string]

/**
 * Endings that a word takes on without becoming another word. They know less than a grammar would, on purpose: a word
 * that keeps an ending is found by its exact form, one that loses too much is found by words that it has nothing to do
 * with. All are about folded words, so none speaks of accents.
 */
const STEPS: Record<string, Step[]> = {
  de: [
    // Umlauts that somebody wrote out.
    [/([ao])e/g, '$1'],
    [/(?<![aeioquäöü])ue/g, 'u'],
    [/(?<=^.{3,})(?:ern|em|en|er|es|e|(?<=[bdfghklmnrt])s)$/, ''],
    [/(?<=^.{3,})(?:est|en|er|(?<=[bdfghklmnt])st)$/, ''],
  ],
  nl: [
    [/(?<=^.{3,})(?:heden|eren|en|e|s)$/, ''],
    [/([bdfgklmnprst])\1$/, '$1'],
    [/([aeou])\1(?=[^aeiou]$)/, '$1'],
    [/v$/, 'f'],
    [/z$/, 's'],
  ],
  sv: [
    [
      /(?<=^.{3,})(?:arnas|ornas|ernas|arens|arna|orna|erna|aren|ares|andet|ande|ades|are|ade|ast|ens|ets|en|et|ar|or|er|as|es|at|a|e|s)$/,
      '',
    ],
  ],
  no: [
    [
      /(?<=^.{3,})(?:hetenes|hetene|hetens|heten|heter|ernes|erens|endes|eren|erne|ende|edes|enes|anes|erte|ede|ens|ene|ert|ers|ane|ets|et|en|er|ar|as|es|a|e|s)$/,
      '',
    ],
  ],
  fr: [
    [/(?<=ea)ux$|(?<=[^u][aeiou]|[^aeiou])[sx]$|(?<=u)s$/, ''],
    [/(?<=^.{2,}[^e])aux?$/, 'al'],
    [/(?<=^.{4,})(?:issement|ement|ment|ation|ateur|atrice|euse|eur|ion)$/, ''],
    [/(?<=^.{3,})(?:er|ez|ee|ent|ant|e)$/, ''],
    [/([dfglmnprst])\1$/, '$1'],
  ],
  es: [
    [/(?<=^.{3,})(?:(?<=[^aeiou])es|s)$/, ''],
    [/(?<=^.{3,})(?:amiento|amente|acion|mente|iendo|ando|ado|ada|ido|ida|ar|er|ir|a|o|e)$/, ''],
  ],
  it: [
    [
      /(?<=^.{3,})(?:azioni|azione|amento|amenti|mente|ando|endo|are|ere|ire|ato|ata|ati|ate|ito|ita|iti|ite|a|e|i|o)$/,
      '',
    ],
    [/(?<=[cg])h$/, ''],
  ],
}

/** What stands in a text of another script in Latin letters is English, more often than not. */
const SPOKEN_AS: Record<string, string> = { ja: 'en', zh: 'en', ko: 'en' }

const LETTERS_ONLY = /^[a-z]+$/

/** What a folded word of a language has in common with its other forms. A language without rules has only the word. */
export function stem(word: string, language: string): string {
  if (word.length < 3 || !LETTERS_ONLY.test(word)) return word
  const spoken = SPOKEN_AS[language] ?? language
  if (spoken === 'en') return stemEnglish(word)
  return (STEPS[spoken] ?? []).reduce((rest, [ending, put]) => rest.replace(ending, put), word)
}
