import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('klein kleine kleinen kleiner kleines mini kompakt')
const LARGE = list('gross grosse grossen grosser grosses')

export const de: QuestionWords = {
  fillers: new Set(
    list(`
      anleitung bedeuten bedeutet heisst kommt schritte sagt steht zeigt
      alle alles also andere anderen bitte brauche braucht da dabei dafur dann darf davon dazu denn doch durfen eben
      eigentlich einfach einmal etwas falsch falls finde funktioniert ganz geben geht genau gerade gerne geworden gibt
      gut habe haben hallo hatte helfen hier hilfe immer jede jeden jetzt kaputt keine keinen konnen konnte lange lassen
      lasst mache machen macht mal manchmal mehr mich mir moglich mochte muss mussen noch nur oft  passiert plotzlich
      richtig schon sehr seit sich soll sollen sollte sonst stimmt tun tut viel viele vielleicht wurde welche welchem
      welchen welcher welches wenig werde werden weiss wieder wieso wieviel will wissen wohl wollen wozu
    `),
  ),
  howTo: /(?:^|\s)wie (?!oft|lange?|viel|hoch|schwer|weit|groß|gross)|schritte|anleitung/iu,
  followUp:
    /^\s*(?:und|oder|aber|auch|dann|was ist mit|wie ist es|wie sieht es|gilt das|ist das|geht das|wie lange dauert (?:das|es))(?![\p{L}])|(?:der|die|das|den|dem) (?:große|grosse|kleine|andere)[nrms]?(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      reinigen saubern putzen spulen waschen reinigung
      reparieren reparatur
      defekt kaputt beschadigt
      kaufen bestellen
      preis kosten kostet
      wechseln tauschen ersetzen austauschen
      loschen entfernen
      tropft leckt undicht
      gerausch laut larm
      fehler storung
      anleitung handbuch
      wlan wifi
      akku batterie
      handy smartphone telefon
      einrichten installieren installation
      display bildschirm anzeige
      verbinden koppeln
      einschalten anschalten anmachen
      ausschalten abschalten ausmachen
      laden aufladen
      kalt lauwarm
      gewicht wiegt schwer
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('vorne vordere vorderen vorderrad'), list('hinten hintere hinteren hinterrad')],
    [list('links linke linken'), list('rechts rechte rechten')],
    [list('alt alte alten'), list('neu neue neuen')],
  ],
}
