import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const no: LanguageRules = {
  stem: cutEndings([
    [
      /(?<=^.{3,})(?:hetenes|hetene|hetens|heten|heter|ernes|erens|endes|eren|erne|ende|edes|enes|anes|erte|ede|ens|ene|ert|ers|ane|ets|et|en|er|ar|as|es|a|e|s)$/,
      '',
    ],
  ]),
  isCompounding: true,
  functionWords: wordSet(`
    alle at av da de deg den denne dere det dette du eller en er et etter for fra ha han har hun hva hvem hvor hvordan i
    ikke jeg kan man med meg men min mitt nar noe og om opp pa seg sin skal som til ut var vi ved vil
  `),
}
