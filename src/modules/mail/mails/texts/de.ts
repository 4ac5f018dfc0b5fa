import type { MailTexts } from './texts.ts'

export const de: MailTexts = {
  kinds: {
    invitation: {
      subject: '{organisation} auf Waymark beitreten',
      text: 'Sie wurden eingeladen, {organisation} auf Waymark beizutreten.',
      link: 'Einladung öffnen',
      hint: 'Der Link funktioniert einmal, innerhalb von sieben Tagen. Wenn Sie diese Organisation nicht kennen, können Sie diese Nachricht ignorieren.',
    },
    reset_password: {
      subject: 'Neues Passwort für Waymark festlegen',
      text: 'Jemand hat ein neues Passwort für Ihr Waymark-Konto angefordert.',
      link: 'Neues Passwort festlegen',
      hint: 'Der Link funktioniert einmal, innerhalb einer Stunde. Wenn Sie das nicht waren, können Sie diese Nachricht ignorieren. Ihr Passwort bleibt unverändert.',
    },
    change_email: {
      subject: 'Neue E-Mail-Adresse bestätigen',
      text: 'Jemand möchte diese E-Mail-Adresse für ein Waymark-Konto verwenden.',
      link: 'Adresse bestätigen',
      hint: 'Der Link funktioniert einmal, innerhalb eines Tages. Wenn Sie das nicht waren, können Sie diese Nachricht ignorieren.',
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: 'Ihr Waymark-Konto verwendet jetzt eine andere E-Mail-Adresse. An diese Adresse senden wir dazu keine Nachrichten mehr.',
      link: 'Konto öffnen',
      hint: 'Wenn Sie das nicht waren, wenden Sie sich sofort an einen Inhaber Ihrer Organisation oder an den Betreiber dieser Installation.',
    },
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      text: 'Das Passwort Ihres Waymark-Kontos wurde geändert. In allen anderen Browsern wurden Sie abgemeldet.',
      link: 'Neues Passwort festlegen',
      hint: 'Wenn Sie das nicht waren, legen Sie über den Link sofort ein neues Passwort fest.',
    },
    factors_changed: {
      subject: 'Ihre Anmeldeeinstellungen wurden geändert',
      text: 'Ein zweiter Faktor Ihres Waymark-Kontos wurde hinzugefügt, entfernt oder erneuert: ein Passkey, eine Authenticator-App oder Wiederherstellungscodes.',
      link: 'Konto öffnen',
      hint: 'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie Ihre zweiten Faktoren.',
    },
    new_device: {
      subject: 'Neue Anmeldung bei Ihrem Konto',
      text: 'Jemand hat sich mit einem Browser, den Sie bisher nicht verwendet haben, bei Ihrem Waymark-Konto angemeldet.',
      link: 'Konto öffnen',
      hint: 'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls ändern Sie sofort Ihr Passwort. Damit werden alle anderen Browser abgemeldet.',
    },
    endpoint_gone: {
      subject: 'Ein Webhook-Endpunkt von {organisation} wurde deaktiviert',
      text: 'Ein Empfänger von {organisation} hat mit 410 Gone geantwortet. Waymark hat den Endpunkt deaktiviert und sendet ihm nichts mehr.',
      link: 'Webhooks öffnen',
      hint: 'Ereignisse werden 30 Tage aufbewahrt. Sobald Sie den Endpunkt fortsetzen, werden sie gesendet.',
    },
    endpoint_failing: {
      subject: 'Ein Webhook-Endpunkt von {organisation} wurde deaktiviert',
      text: 'Seit fünf Tagen ist jeder Versuch fehlgeschlagen, einen Empfänger von {organisation} zu erreichen. Waymark hat den Endpunkt deaktiviert und sendet ihm nichts mehr.',
      link: 'Webhooks öffnen',
      hint: 'Ereignisse werden 30 Tage aufbewahrt. Sobald Sie den Endpunkt fortsetzen, werden sie gesendet.',
    },
    credits_low: {
      subject: '{organisation} hat nur noch wenige Credits',
      text: 'Die Chatbots von {organisation} haben die meisten Credits verbraucht. Verbleibende Credits: {number}.',
      link: 'Waymark öffnen',
      hint: 'Wenn keine Credits mehr übrig sind, antworten die Chatbots nicht mehr. Der Betreiber dieser Installation kann Credits hinzufügen.',
    },
    credits_empty: {
      subject: '{organisation} hat keine Credits mehr',
      text: 'Die Chatbots von {organisation} haben alle Credits verbraucht und beantworten keine Fragen mehr.',
      link: 'Waymark öffnen',
      hint: 'Der Betreiber dieser Installation kann Credits hinzufügen. Danach antworten die Chatbots wieder.',
    },
    domain_failing: {
      subject: 'Die Einträge von {domain} sind falsch',
      text: 'Seit drei Tagen sind die DNS-Einträge von {domain} nicht so, wie Waymark sie erwartet. Wird das nicht innerhalb von vier Tagen korrigiert, kann {organisation} die Domain nicht mehr verwenden, und gedruckte Codes mit ihr funktionieren nicht mehr.',
      link: 'Domains öffnen',
      hint: 'Dort sehen Sie, welcher Eintrag falsch ist. Waymark prüft die Domain jeden Tag.',
    },
    domain_lost: {
      subject: '{domain} wird nicht mehr verwendet',
      text: 'Seit sieben Tagen sind die DNS-Einträge von {domain} falsch. Waymark zeigt unter dieser Domain nichts mehr von {organisation}.',
      link: 'Domains öffnen',
      hint: 'Sobald die Einträge wieder stimmen, wird die Domain wieder verwendet. Waymark prüft sie noch einen Monat lang.',
    },
    domain_taken_over: {
      subject: '{domain} gehört jetzt einer anderen Organisation',
      text: 'Eine andere Organisation hat mit einem DNS-Eintrag bewiesen, dass {domain} ihr gehört. Waymark zeigt unter dieser Domain nichts mehr von {organisation}.',
      link: 'Domains öffnen',
      hint: 'Wenn die Domain Ihnen gehört, entfernen Sie den unbekannten DNS-Eintrag und legen Sie den neuen an, den Waymark Ihnen zeigt.',
    },
    conversation_reply: {
      subject: '{organisation} hat Ihnen geantwortet',
      text: 'Jemand von {organisation} hat auf Ihre Nachricht im Chat geantwortet.',
      link: 'Unterhaltung fortsetzen',
      hint: 'Der Link funktioniert einmal, innerhalb von 30 Tagen. Sie erhalten diese Nachricht, weil Sie im Chat Ihre Adresse angegeben haben. Waren Sie das nicht, können Sie die Nachricht ignorieren.',
    },
    submission: {
      subject: 'Neue Einsendung {number}: {page}',
      text: 'Jemand hat das Formular auf Ihrer Seite „{page}“ abgeschickt. Das ist die Einsendung Nummer {number}.',
      link: 'Waymark öffnen',
      hint: 'Sie erhalten diese Nachricht, weil die Seite Sie benachrichtigt. Bekommt eine Seite in einer Stunde sehr viele Einsendungen, werden nicht alle per E-Mail gemeldet.',
    },
  },
  facts: {
    invitedBy: 'Eingeladen von',
    newEmail: 'Neue Adresse',
    device: 'Browser',
    address: 'IP-Adresse',
    time: 'Zeit',
    endpoint: 'Endpunkt',
    since: 'Fehlgeschlagen seit',
    answer: 'Antwort',
  },
  footer: 'Automatisch gesendet von Waymark unter {url}.',
}
