import { cutEndings, type LanguageRules, wordSet } from './rules.ts'

export const de: LanguageRules = {
  stem: cutEndings([
    // Umlauts written as two letters: schluessel.
    [/([ao])e/g, '$1'],
    [/(?<![aeioquäöü])ue/g, 'u'],
    [/(?<=^.{3,})(?:ern|em|en|er|es|e|(?<=[bdfghklmnrt])s)$/, ''],
    [/(?<=^.{3,})(?:est|en|er|(?<=[bdfghklmnt])st)$/, ''],
  ]),
  isCompounding: true,
  verbPrefixes: [
    'ab',
    'an',
    'auf',
    'aus',
    'ein',
    'fest',
    'her',
    'hin',
    'los',
    'nach',
    'um',
    'vor',
    'weg',
    'zu',
    'zuruck',
  ],
  functionWords: wordSet(`
    aber als am an auch auf aus bei bin bis das dass dem den der des die dies diese du ein eine einem einen einer er es
    fur hat ich ihr im in ist kann man mein meine mit nach nicht oder sein sich sie sind so uber um und uns unser von
    vom wann warum was wenn wer wie wir wird wo zu zum zur
  `),
}
