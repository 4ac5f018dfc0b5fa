import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('piccolo piccola piccoli piccole mini compatto')
const LARGE = list('grande grandi')

export const it: QuestionWords = {
  fillers: new Set(
    list(`
      appare esiste indica mostra significa
      aiuto allora altra altro anche ancora avere bene buongiorno ciao corretto cosi deve devo dire essere fare favore
      funziona fa gia grazie invece mai male meglio modo molto ogni ora poi possibile posso potrei prego prima puo qualche
      quale quali quanta quanti quanto quindi sapere sempre  solo spesso stato subito tanto tempo trovare tutti
      tutto usare va vedere volta volte vorrei voglio
    `),
  ),
  howTo: /(?:^|\s)come(?:\s|$)|passaggi|istruzioni/iu,
  followUp:
    /^\s*(?:e|o|ma|anche|allora|e per|che ne è|quanto (?:dura|ci vuole))(?![\p{L}])|(?:il|la|quello|quella|l['’]) ?(?:grande|piccolo|piccola|altro|altra)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      pulire lavare sciacquare pulizia
      riparare aggiustare riparazione
      rotto guasto difettoso danneggiato
      comprare acquistare ordinare
      prezzo costo costa
      sostituire cambiare
      cancellare eliminare rimuovere
      perde perdita gocciola
      rumore rumoroso
      errore guasto
      manuale istruzioni
      wifi wlan
      telefono cellulare smartphone
      installare installazione
      schermo display
      collegare connettere associare
      accendere avviare
      spegnere
      caricare ricaricare ricarica
      fredda freddo tiepida
      peso pesa
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('anteriore'), list('posteriore')],
    [list('sinistra sinistro'), list('destra destro')],
    [list('vecchio vecchia'), list('nuovo nuova')],
  ],
}
