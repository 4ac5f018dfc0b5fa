import type { NoticeTexts } from './texts.ts'

export const it: NoticeTexts = {
  paused: {
    title: 'Questo codice è in pausa',
    text: 'Il proprietario lo ha disattivato temporaneamente. Riprovare più tardi.',
  },
  not_set_up: {
    title: 'Questo codice non è ancora configurato',
    text: 'Non è ancora collegato ad alcun contenuto. Riprovare tra qualche tempo.',
    owner: 'Per il proprietario: basta aggiungere una destinazione e il codice è pronto all’uso.',
  },
  unknown: {
    title: 'Codice non trovato',
    text: 'Controllare l’indirizzo o scansionare di nuovo il codice. La stampa potrebbe essere danneggiata.',
  },
  not_found: {
    title: 'Pagina non trovata',
    text: 'Non c’è nessuna pagina a questo indirizzo. Controllare che sia scritto correttamente.',
  },
  gone: {
    title: 'Questo codice non è più in uso',
    text: 'È stato eliminato definitivamente. Per assistenza, contattare il proprietario.',
  },
  malformed: {
    title: 'Questo link non è valido',
    text: 'L’indirizzo non rispetta le regole di GS1. Scansionare di nuovo il codice. È possibile che la stampa sia rovinata.',
  },
  compressed: {
    title: 'I link compressi non sono supportati',
    text: 'Questo è un GS1 Digital Link in forma compressa. Usare la forma in cui si legge il numero del prodotto.',
  },
  no_link: {
    title: 'Questa informazione non è disponibile',
    text: 'Il proprietario non ha aggiunto un link del tipo richiesto. Scansionare il codice per vedere che cosa è disponibile.',
  },
  unavailable: {
    title: 'Un momento, per favore',
    text: 'Al momento non è possibile verificare questo codice. La pagina si aggiornerà automaticamente tra pochi secondi.',
    retry: 'Riprova',
  },
}
