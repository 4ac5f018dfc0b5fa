import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const es: LanguageRules = {
  stem: cutEndings([
    [/(?<=^.{3,})(?:(?<=[^aeiou])es|s)$/, ''],
    [/(?<=^.{3,})(?:amiento|amente|acion|mente|iendo|ando|ado|ada|ido|ida|ar|er|ir|a|o|e)$/, ''],
  ]),
  functionWords: wordSet(`
    a al como con cual cuando de del donde el ella en entre era es esta este esto ha hay la las le lo los mas me mi mis
    muy no nos o para pero por porque que quien se ser si sin sobre su sus te tu un una unos y ya yo
  `),
}
