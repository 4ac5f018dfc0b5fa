import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const nl: LanguageRules = {
  stem: cutEndings([
    [/(?<=^.{3,})(?:heden|eren|en|e|s)$/, ''],
    [/([bdfgklmnprst])\1$/, '$1'],
    [/([aeou])\1(?=[^aeiou]$)/, '$1'],
    [/v$/, 'f'],
    [/z$/, 's'],
  ]),
  isCompounding: true,
  verbPrefixes: [
    'aan',
    'af',
    'bij',
    'door',
    'in',
    'los',
    'na',
    'om',
    'op',
    'over',
    'terug',
    'toe',
    'uit',
    'vast',
    'weg',
  ],
  functionWords: wordSet(`
    aan als bij dan dat de der deze die dit door een en er haar had heb heeft het hij hoe ik in is je kan maar me met
    mijn naar niet nog of om onze ook op over te tot u uit uw van voor waar waarom wanneer was wat we wel wie wij zijn
    ze zich
  `),
}
