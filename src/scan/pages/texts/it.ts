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
  unavailable: {
    title: 'Un momento, per favore',
    text: 'Al momento non è possibile verificare questo codice. La pagina si aggiornerà automaticamente tra pochi secondi.',
    retry: 'Riprova',
  },
}
