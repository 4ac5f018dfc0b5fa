import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const sv: LanguageRules = {
  stem: cutEndings([
    [
      /(?<=^.{3,})(?:arnas|ornas|ernas|arens|arna|orna|erna|aren|ares|andet|ande|ades|are|ade|ast|ens|ets|en|et|ar|or|er|as|es|at|a|e|s)$/,
      '',
    ],
  ]),
  isCompounding: true,
  functionWords: wordSet(`
    alla att av de den det detta dig din du efter ej eller en er ett for fran han har hon hur i in inte jag kan kom man
    med men mig min mitt nar och om oss pa sa se sig sin som till under upp ut vad var vi vid vilken
  `),
}
