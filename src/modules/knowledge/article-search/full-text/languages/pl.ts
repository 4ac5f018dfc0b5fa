import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const pl: LanguageRules = {
  stem: cutEndings([
    [
      /(?<=^.{3,})(?:owaniach|owaniem|owania|owanie|owaniu|aniach|aniem|ania|anie|aniu|eniach|eniem|enia|enie|eniu|owych|owego|owemu|owej|owym|owa|owe|owy|ych|ego|emu|ymi|imi|ami|ach|owi|ow|om|em|ej|ym|im|ia|ie|iu|ac|ec|ic|yc|a|e|i|o|u|y)$/,
      '',
    ],
    // drukarka, drukarek; klucz, kluczem.
    [/(?<=^.{3,})e(?=[kc]$)/, ''],
  ]),
  functionWords: wordSet(`
    a aby ale by byc bylo co czy dla do gdy gdzie go i ich ile ja jak jaki jakie jako je jego jej jest jestem juz kiedy
    kto ktora ktore ktory lub ma mam mi mnie moj moja moje na nad nie o od on ona oni po pod przed przez przy sa sie ta
    tak tam te tego tej ten to tu ty tym w we wiec z za ze
  `),
}
