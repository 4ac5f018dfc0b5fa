import type { MailTexts } from './texts.ts'

export const it: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Invito a {organisation} su Waymark',
      text: 'Questo è un invito a unirsi a {organisation} su Waymark.',
      link: 'Apri l’invito',
      hint: 'Il link funziona una sola volta, per sette giorni. Se l’organizzazione è sconosciuta, questo messaggio si può ignorare.',
    },
    reset_password: {
      subject: 'Impostare una nuova password per Waymark',
      text: 'È stata richiesta una nuova password per l’account Waymark con questo indirizzo.',
      link: 'Imposta una nuova password',
      hint: 'Il link funziona una sola volta, per un’ora. Se la richiesta non è stata voluta, questo messaggio si può ignorare: la password resta invariata.',
    },
    change_email: {
      subject: 'Confermare il nuovo indirizzo e-mail',
      text: 'È stato chiesto di usare questo indirizzo e-mail per un account Waymark.',
      link: 'Conferma l’indirizzo',
      hint: 'Il link funziona una sola volta, per un giorno. Se la richiesta non è stata voluta, questo messaggio si può ignorare.',
    },
    email_changed: {
      subject: 'L’indirizzo e-mail è stato cambiato',
      text: 'L’account Waymark ora usa un altro indirizzo e-mail. Non invieremo più messaggi sull’account a questo indirizzo.',
      link: 'Apri l’account',
      hint: 'Se la modifica non è stata voluta, contattare subito un proprietario dell’organizzazione o il gestore di questa installazione.',
    },
    password_changed: {
      subject: 'La password è stata cambiata',
      text: 'La password dell’account Waymark è stata cambiata. La sessione è stata chiusa in tutti gli altri browser.',
      link: 'Imposta una nuova password',
      hint: 'Se la modifica non è stata voluta, usare il link per impostare subito una nuova password.',
    },
    factors_changed: {
      subject: 'Le impostazioni di accesso sono cambiate',
      text: 'Un secondo fattore dell’account Waymark è stato aggiunto, rimosso o rinnovato: una passkey, un’app di autenticazione o i codici di recupero.',
      link: 'Apri l’account',
      hint: 'Se la modifica non è stata voluta, cambiare subito la password e controllare i secondi fattori.',
    },
    new_device: {
      subject: 'Nuovo accesso all’account',
      text: 'È stato effettuato l’accesso all’account Waymark con un browser mai usato prima.',
      link: 'Apri l’account',
      hint: 'Se l’accesso è legittimo, non occorre fare nulla. Altrimenti cambiare subito la password. Così la sessione viene chiusa in tutti gli altri browser.',
    },
    endpoint_gone: {
      subject: 'Un endpoint webhook di {organisation} è stato disattivato',
      text: 'Un ricevitore di {organisation} ha risposto 410 Gone. Waymark ha disattivato l’endpoint e non gli invia più nulla.',
      link: 'Apri i webhook',
      hint: 'Gli eventi vengono conservati per 30 giorni. Saranno inviati quando l’endpoint viene riattivato.',
    },
    endpoint_failing: {
      subject: 'Un endpoint webhook di {organisation} è stato disattivato',
      text: 'Da cinque giorni falliscono tutti i tentativi di raggiungere un ricevitore di {organisation}. Waymark ha disattivato l’endpoint e non gli invia più nulla.',
      link: 'Apri i webhook',
      hint: 'Gli eventi vengono conservati per 30 giorni. Saranno inviati quando l’endpoint viene riattivato.',
    },
    credits_low: {
      subject: 'A {organisation} restano pochi crediti',
      text: 'I chatbot di {organisation} hanno usato la maggior parte dei crediti. Crediti rimasti: {number}.',
      link: 'Apri Waymark',
      hint: 'Quando i crediti finiscono, i chatbot smettono di rispondere. Il gestore di questa installazione può aggiungere crediti.',
    },
    credits_empty: {
      subject: '{organisation} non ha più crediti',
      text: 'I chatbot di {organisation} hanno usato tutti i crediti e non rispondono più alle domande.',
      link: 'Apri Waymark',
      hint: 'Il gestore di questa installazione può aggiungere crediti. I chatbot torneranno così a rispondere.',
    },
    domain_failing: {
      subject: 'I record di {domain} sono errati',
      text: 'Da tre giorni i record DNS di {domain} non sono quelli che Waymark si aspetta. Se non vengono corretti entro quattro giorni, {organisation} non potrà più usare il dominio e i codici stampati con esso smetteranno di funzionare.',
      link: 'Apri i domini',
      hint: 'Lì può vedere quale record è errato. Waymark controlla il dominio ogni giorno.',
    },
    domain_lost: {
      subject: '{domain} non viene più usato',
      text: 'Da sette giorni i record DNS di {domain} sono errati. Waymark non mostra più nulla di {organisation} su questo dominio.',
      link: 'Apri i domini',
      hint: 'Quando i record saranno di nuovo corretti, il dominio verrà usato di nuovo. Waymark continua a controllarlo per un mese.',
    },
    domain_taken_over: {
      subject: '{domain} ora appartiene a un’altra organizzazione',
      text: 'Un’altra organizzazione ha dimostrato con un record DNS che {domain} le appartiene. Waymark non mostra più nulla di {organisation} su questo dominio.',
      link: 'Apri i domini',
      hint: 'Se il dominio è suo, rimuova il record DNS sconosciuto e crei quello nuovo che Waymark le mostra.',
    },
    conversation_reply: {
      subject: '{organisation} le ha risposto',
      text: 'Una persona di {organisation} ha risposto al suo messaggio nella chat.',
      link: 'Continua la conversazione',
      hint: 'Il link funziona una volta, entro 30 giorni. Riceve questo messaggio perché ha lasciato il suo indirizzo nella chat. Se non è stato lei, può ignorarlo.',
    },
    submission: {
      subject: 'Nuovo invio {number}: {page}',
      text: 'Qualcuno ha inviato il modulo della pagina «{page}». È l’invio numero {number}.',
      link: 'Apri Waymark',
      hint: 'Riceve questo messaggio perché la pagina la avvisa. Se una pagina riceve moltissimi invii in un’ora, non tutti vengono segnalati per e-mail.',
    },
  },
  facts: {
    invitedBy: 'Invito di',
    newEmail: 'Nuovo indirizzo',
    device: 'Browser',
    address: 'Indirizzo IP',
    time: 'Ora',
    endpoint: 'Endpoint',
    since: 'Fallisce dal',
    answer: 'Risposta',
  },
  footer: 'Inviato automaticamente da Waymark all’indirizzo {url}.',
}
