import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('klein kleine mini compact compacte')
const LARGE = list('groot grote')

export const nl: QuestionWords = {
  fillers: new Set(
    list(`
      betekent gebeurt staat toont
      alle alles alsjeblieft alstublieft altijd ander andere anders bedankt beter dag doe doen doet dus echt eens eigenlijk
      elke geen geeft goed graag hallo hebben help hier hulp iets jullie klopt komt krijg kunnen kunt lang maak maken mag
      meer mij misschien moet moeten mogelijk na nodig nooit nu ons opeens soms steeds toch veel vaak vinden waarvoor
      weer werkt weten welk welke wil willen wilt worden wordt zal zeggen zo  zou
    `),
  ),
  howTo: /(?:^|\s)hoe (?!vaak|lang|veel|hoog|zwaar|ver|groot)|stappen|handleiding/iu,
  followUp:
    /^\s*(?:en|of|maar|ook|dan|hoe zit het met|en voor|hoe lang duurt (?:dat|het))(?![\p{L}])|(?:de|het) (?:grote|kleine|andere)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      schoonmaken reinigen wassen spoelen
      repareren reparatie
      kapot defect beschadigd
      kopen bestellen
      prijs kosten kost
      vervangen wisselen verwisselen
      verwijderen wissen
      lekt lekken druppelt
      geluid lawaai luid
      fout storing
      handleiding gebruiksaanwijzing
      wifi wlan
      accu batterij
      telefoon smartphone mobiel
      installeren installatie
      scherm display
      verbinden koppelen
      aanzetten inschakelen
      uitzetten uitschakelen
      laden opladen
      koud lauw
      gewicht weegt
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('voor voorste voorwiel'), list('achter achterste achterwiel')],
    [list('links linker'), list('rechts rechter')],
    [list('oud oude'), list('nieuw nieuwe')],
  ],
}
