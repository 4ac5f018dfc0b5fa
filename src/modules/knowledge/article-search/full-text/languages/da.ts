import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const da: LanguageRules = {
  stem: cutEndings([
    [
      /(?<=^.{3,})(?:erendes|erende|hedens|erede|heder|heden|endes|ernes|erens|erets|ende|erne|eren|eret|ered|enes|eres|ene|ere|ens|ers|ets|en|er|es|et|e|s)$/,
      '',
    ],
    [/([bdfgklmnprst])\1$/, '$1'],
  ]),
  isCompounding: true,
  functionWords: wordSet(`
    af alle at da de dem den denne der det dette dig din du efter eller en end er et for fra ham han har hende her hun
    hvad hvem hvis hvor hvordan hvornar i ikke jeg jer kan man med mig min mit mod nar nogle nu og om op os over pa sa
    sig sin skal som til ud under var ved vi vil
  `),
}
