import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const it: LanguageRules = {
  stem: cutEndings([
    [
      /(?<=^.{3,})(?:azioni|azione|amento|amenti|mente|ando|endo|are|ere|ire|ato|ata|ati|ate|ito|ita|iti|ite|a|e|i|o)$/,
      '',
    ],
    [/(?<=[cg])h$/, ''],
  ]),
  functionWords: wordSet(`
    a ad ai al alla che chi ci come con cosa da dal dalla dei del della delle di dove e ed gli ha ho i il in io la le lo
    ma mi mio ne nei nel nella no non o per perche piu quando questa questo se si sono su sul sulla tra tu un una uno vi
  `),
}
