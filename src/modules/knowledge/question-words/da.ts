import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('lille sma mindre mini kompakt')
const LARGE = list('stor stort store storre')

export const da: QuestionWords = {
  fillers: new Set(
    list(`
      betyder sker star viser
      aldrig altid anden andet andre bare bedre behover bor burde da der denne dette disse du far findes fungerer ganske
      gerne giver gor gore gar godt havde hej hele hjaelp hjaelpe hvorfor hvilke hvilket igen ingen intet jo kunne laenge
      maske meget mere mod muligt ma nogen noget nok nu nar ofte ogsa rigtig sa senere skal skulle snart tak vaere
      ved vide vil ville virker
    `),
  ),
  howTo: /(?:^|\s)hvordan(?![\p{L}])|trin for trin|vejledning/iu,
  followUp:
    /^\s*(?:og|eller|men|også|så|hvad med|og for|hvor lang tid tager det)(?![\p{L}])|(?:den|det) (?:store|lille|anden|andet)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      rengore vaske skylle rengoring
      reparere reparation fikse
      odelagt defekt beskadiget
      kobe bestille
      pris koster omkostning
      skifte udskifte bytte erstatte
      slette fjerne
      laekker drypper laek
      lyd stoj larm
      fejl forstyrrelse
      brugsanvisning manual vejledning
      wifi wlan
      telefon mobil smartphone
      installere installation opsaetning
      skaerm display
      tilslutte forbinde parre
      oplade opladning lade
      kold lunken
      vaegt vejer
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('forreste forhjul'), list('bageste baghjul')],
    [list('venstre'), list('hojre')],
    [list('gammel gamle'), list('ny nye')],
  ],
}
