import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('liten lille lite sma mini kompakt')
const LARGE = list('stor store stort')

export const no: QuestionWords = {
  fillers: new Set(
    list(`
      betyr skjer star viser
      aldri alltid annen annet andre bare bedre behover bor bra bruke ble bli da der disse far fungerer ganske gi gjor
      gjore gar ga hadde hei hele hjelp hjelpe hvilke hvilken hvilket hvorfor igjen ingen ja kanskje kunne lenge ma meget
      mer mot mulig mye noen na ofte ogsa riktig siden skulle snart takk  vaere vet vil vite vennligst
    `),
  ),
  howTo: /hvordan|trinn for trinn|steg for steg/iu,
  followUp:
    /^\s*(?:og|eller|men|også|da|hva med|hvordan er det med|og for|hvor lang tid tar det)(?![\p{L}])|(?:den|det) (?:store|lille|andre)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      rengjore vaske skylle rengjoring
      reparere fikse reparasjon
      odelagt defekt skadet
      kjope bestille
      pris kostnad koster
      bytte erstatte
      slette fjerne
      lekker drypper lekkasje
      lyd braker stoy
      feil storning
      bruksanvisning manual
      wifi wlan
      telefon mobil smarttelefon
      installere installasjon
      skjerm display
      koble pare
      lade lading
      kald lunken
      vekt veier
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('foran fremre forhjul'), list('bak bakre bakhjul')],
    [list('venstre'), list('hoyre')],
    [list('gammel gamle'), list('ny nye')],
  ],
}
