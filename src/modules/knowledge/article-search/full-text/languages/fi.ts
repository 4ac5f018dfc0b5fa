import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const fi: LanguageRules = {
  stem: cutEndings([
    // Particles and possessives: laitteessaniko.
    [/(?<=^.{4,})(?:kin|kaan|ko|han|pa)$/, ''],
    [/(?<=^.{4,})(?:nsa|mme|nne|ni|si)$/, ''],
    // Cases, with the plural.
    [
      /(?<=^.{3,})(?:issa|ista|illa|ilta|ille|iksi|ineen|itta|ihin|iin|ina|ien|iden|jen|jaen|ssa|sta|lla|lta|lle|ksi|tta|seen|hen|hin|aan|een|oon|uun|yyn|na|ta|en|in|an|ja|ia|n|t)$/,
      '',
    ],
    [/(?<=^.{3,})[aeiouy]{1,2}$/, ''],
    [/([kpt])\1$/, '$1'],
  ]),
  isCompounding: true,
  functionWords: wordSet(`
    ei eika en han hanen ja joka jonka jos jotka kanssa ketka koska kuin kuinka kun kuka me mika miksi mina minun missa
    mita miten mutta ne niin nyt ole olen olet oli on ovat se sen sina sita siina sinun ta tai tama tassa te tuo vai vain
    voi voin voiko
  `),
}
