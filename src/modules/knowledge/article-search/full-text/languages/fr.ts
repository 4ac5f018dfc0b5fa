import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const fr: LanguageRules = {
  stem: cutEndings([
    [/(?<=ea)ux$|(?<=[^u][aeiou]|[^aeiou])[sx]$|(?<=u)s$/, ''],
    [/(?<=^.{2,}[^e])aux?$/, 'al'],
    [/(?<=^.{4,})(?:issement|ement|ment|ation|ateur|atrice|euse|eur|ion)$/, ''],
    [/(?<=^.{3,})(?:er|ez|ee|ent|ant|e)$/, ''],
    [/([dfglmnprst])\1$/, '$1'],
  ]),
  functionWords: wordSet(`
    a ai au aux avec ce ces cette comment d dans de des du elle en est et il ils je l la le les leur lui ma mais me mes
    mon ne nous on ou par pas pour pourquoi qu quand que quel quelle qui sa se ses si son sont sur ta tu un une vos
    votre vous y
  `),
}
