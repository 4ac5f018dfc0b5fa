import type { MailTexts } from './texts.ts'

export const no: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Bli med i {organisation} på Waymark',
      text: 'Du er invitert til å bli med i {organisation} på Waymark.',
      link: 'Åpne invitasjonen',
      hint: 'Lenken virker én gang, innen sju dager. Hvis du ikke kjenner organisasjonen, kan du se bort fra denne meldingen.',
    },
    reset_password: {
      subject: 'Velg et nytt passord for Waymark',
      text: 'Noen har bedt om et nytt passord for Waymark-kontoen din.',
      link: 'Velg et nytt passord',
      hint: 'Lenken virker én gang, innen én time. Hvis det ikke var deg, kan du se bort fra denne meldingen. Passordet ditt endres ikke.',
    },
    change_email: {
      subject: 'Bekreft den nye e-postadressen din',
      text: 'Noen vil bruke denne e-postadressen for en Waymark-konto.',
      link: 'Bekreft adressen',
      hint: 'Lenken virker én gang, innen ett døgn. Hvis det ikke var deg, kan du se bort fra denne meldingen.',
    },
    email_changed: {
      subject: 'E-postadressen din er endret',
      text: 'Waymark-kontoen din bruker nå en annen e-postadresse. Vi sender ikke lenger meldinger om kontoen til denne adressen.',
      link: 'Åpne kontoen din',
      hint: 'Hvis det ikke var deg, må du straks kontakte en eier i organisasjonen din eller den som drifter denne installasjonen.',
    },
    password_changed: {
      subject: 'Passordet ditt er endret',
      text: 'Passordet for Waymark-kontoen din er endret. Du er logget ut i alle andre nettlesere.',
      link: 'Velg et nytt passord',
      hint: 'Hvis det ikke var deg, bruker du lenken til straks å velge et nytt passord.',
    },
    factors_changed: {
      subject: 'Innloggingsinnstillingene dine er endret',
      text: 'En annen faktor for Waymark-kontoen din er lagt til, fjernet eller fornyet: en tilgangsnøkkel, en autentiseringsapp eller gjenopprettingskoder.',
      link: 'Åpne kontoen din',
      hint: 'Hvis det ikke var deg, må du straks endre passordet og kontrollere tofaktorinnstillingene dine.',
    },
    new_device: {
      subject: 'Ny innlogging på kontoen din',
      text: 'Noen logget inn på Waymark-kontoen din med en nettleser du ikke har brukt før.',
      link: 'Åpne kontoen din',
      hint: 'Hvis det var deg, trenger du ikke å gjøre noe. Hvis ikke, må du straks endre passordet. Da logges alle andre nettlesere ut.',
    },
    endpoint_gone: {
      subject: 'Et webhook-endepunkt for {organisation} er deaktivert',
      text: 'En mottaker for {organisation} svarte 410 Gone. Waymark har deaktivert endepunktet og sender ikke mer til det.',
      link: 'Åpne webhooks',
      hint: 'Hendelser oppbevares i 30 dager. De sendes når du gjenopptar endepunktet.',
    },
    endpoint_failing: {
      subject: 'Et webhook-endepunkt for {organisation} er deaktivert',
      text: 'I fem dager har alle forsøk på å nå en mottaker for {organisation} mislyktes. Waymark har deaktivert endepunktet og sender ikke mer til det.',
      link: 'Åpne webhooks',
      hint: 'Hendelser oppbevares i 30 dager. De sendes når du gjenopptar endepunktet.',
    },
    credits_low: {
      subject: '{organisation} har få kreditter igjen',
      text: 'Chatbotene til {organisation} har brukt de fleste kredittene. Kreditter igjen: {number}.',
      link: 'Åpne Waymark',
      hint: 'Når det ikke er flere kreditter igjen, slutter chatbotene å svare. Den som drifter denne installasjonen, kan legge til kreditter.',
    },
    credits_empty: {
      subject: '{organisation} har ingen kreditter igjen',
      text: 'Chatbotene til {organisation} har brukt alle kredittene og svarer ikke lenger på spørsmål.',
      link: 'Åpne Waymark',
      hint: 'Den som drifter denne installasjonen, kan legge til kreditter. Da svarer chatbotene igjen.',
    },
    domain_failing: {
      subject: 'Oppføringene for {domain} er feil',
      text: 'I tre dager har DNS-oppføringene for {domain} ikke vært slik Waymark forventer. Hvis dette ikke rettes innen fire dager, kan {organisation} ikke lenger bruke domenet, og trykte koder med det slutter å virke.',
      link: 'Åpne domener',
      hint: 'Der ser du hvilken oppføring som er feil. Waymark kontrollerer domenet hver dag.',
    },
    domain_lost: {
      subject: '{domain} brukes ikke lenger',
      text: 'I sju dager har DNS-oppføringene for {domain} vært feil. Waymark viser ikke lenger noe fra {organisation} under dette domenet.',
      link: 'Åpne domener',
      hint: 'Når oppføringene er riktige igjen, brukes domenet igjen. Waymark fortsetter å kontrollere det i en måned.',
    },
    domain_taken_over: {
      subject: '{domain} tilhører nå en annen organisasjon',
      text: 'En annen organisasjon har bevist med en DNS-oppføring at {domain} tilhører den. Waymark viser ikke lenger noe fra {organisation} under dette domenet.',
      link: 'Åpne domener',
      hint: 'Hvis domenet er ditt, fjerner du den ukjente DNS-oppføringen og oppretter den nye som Waymark viser deg.',
    },
    conversation_reply: {
      subject: '{organisation} har svart deg',
      text: 'En person hos {organisation} har svart på meldingen din i chatten.',
      link: 'Fortsett samtalen',
      hint: 'Lenken virker én gang, innen 30 dager. Du får denne meldingen fordi du oppga adressen din i chatten. Hvis det ikke var deg, kan du se bort fra den.',
    },
    submission: {
      subject: 'Ny innsending {number}: {page}',
      text: 'Noen har sendt skjemaet på siden «{page}». Dette er innsending nummer {number}.',
      link: 'Åpne Waymark',
      hint: 'Du får denne meldingen fordi siden varsler deg. Hvis en side får svært mange innsendinger på en time, blir ikke alle sendt på e-post.',
    },
  },
  facts: {
    invitedBy: 'Invitert av',
    newEmail: 'Ny adresse',
    device: 'Nettleser',
    address: 'IP-adresse',
    time: 'Tidspunkt',
    endpoint: 'Endepunkt',
    since: 'Mislykkes siden',
    answer: 'Svar',
  },
  footer: 'Sendt automatisk av Waymark på {url}.',
}
