import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('liten lilla litet sma mini kompakt')
const LARGE = list('stor stora stort')

export const sv: QuestionWords = {
  fillers: new Set(
    list(`
      betyder hander star visar
      aldrig alltid annan annat andra behover bara battre borde bra da dar denna dessa det du fa far finns fungerar ganska
      ge gor gora gar hade hej hela hjalp hjalpa igen inget ingen ju kanske kunna lange mer mot mycket maste mojligt
      nagon nagot ni nu nar ofta ocksa ratt sedan ska skulle snalla snart tack  vara vet veta vill varfor vilka
      vilket valdigt vart
    `),
  ),
  howTo: /(?:^|\s)hur (?!ofta|länge|mycket|många|hög|tung|lång|stor)|steg för steg/iu,
  followUp:
    /^\s*(?:och|eller|men|också|då|hur är det med|och för|hur lång tid tar det)(?![\p{L}])|(?:den|det) (?:stora|lilla|andra)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      rengora tvatta skolja rengoring
      reparera laga reparation
      trasig defekt skadad
      kopa bestalla
      pris kostnad kostar
      byta ersatta
      radera avlagsna
      lacker droppar lacka
      ljud oljud buller
      fel storning
      bruksanvisning manual
      wifi wlan
      telefon mobil smartphone
      installera installation
      skarm display
      ansluta koppla parkoppla
      ladda laddning
      kall ljummen
      vikt vager
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('fram framre framhjul'), list('bak bakre bakhjul')],
    [list('vanster vanstra'), list('hoger hogra')],
    [list('gammal gamla'), list('ny nya')],
  ],
}
