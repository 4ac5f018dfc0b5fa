import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const pt: LanguageRules = {
  stem: cutEndings([
    // Plurals: instalações, animais, imagens.
    [/(?<=^.{2,})oes$/, 'ao'],
    [/(?<=^.{3,})ais$/, 'al'],
    [/(?<=^.{2,})ns$/, 'm'],
    [/(?<=^.{3,})(?:(?<=[rz])es|s)$/, ''],
    [
      /(?<=^.{3,})(?:amento|imento|amente|mente|acao|icao|adora|ador|ando|endo|indo|ado|ada|ido|ida|ar|er|ir|a|o|e)$/,
      '',
    ],
  ]),
  functionWords: wordSet(`
    a ao aos as com como da das de do dos e ela ele em entre era esta este eu foi ha isso isto ja la lhe mais mas me meu
    minha muito na nao nas no nos o onde os ou para pela pelo por porque qual quando que quem se sem ser seu sua sao tem
    um uma voce
  `),
}
