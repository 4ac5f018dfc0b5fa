import type { MailTexts } from './texts.ts'

export const nl: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Word lid van {organisation} op Waymark',
      text: 'Je bent uitgenodigd om lid te worden van {organisation} op Waymark.',
      link: 'Uitnodiging openen',
      hint: 'De link werkt één keer, gedurende zeven dagen. Als je deze organisatie niet kent, kun je dit bericht negeren.',
    },
    reset_password: {
      subject: 'Stel een nieuw wachtwoord in voor Waymark',
      text: 'Iemand heeft een nieuw wachtwoord aangevraagd voor je Waymark-account.',
      link: 'Nieuw wachtwoord instellen',
      hint: 'De link werkt één keer, binnen een uur. Als jij dit niet was, kun je dit bericht negeren. Je wachtwoord blijft hetzelfde.',
    },
    change_email: {
      subject: 'Bevestig je nieuwe e-mailadres',
      text: 'Iemand wil dit e-mailadres gebruiken voor een Waymark-account.',
      link: 'Adres bevestigen',
      hint: 'De link werkt één keer, binnen een dag. Als jij dit niet was, kun je dit bericht negeren.',
    },
    email_changed: {
      subject: 'Je e-mailadres is gewijzigd',
      text: 'Je Waymark-account gebruikt nu een ander e-mailadres. We sturen er geen berichten meer over naar dit adres.',
      link: 'Account openen',
      hint: 'Als jij dit niet was, neem dan meteen contact op met een eigenaar van je organisatie of met de beheerder van deze installatie.',
    },
    password_changed: {
      subject: 'Je wachtwoord is gewijzigd',
      text: 'Het wachtwoord van je Waymark-account is gewijzigd. Je bent in alle andere browsers uitgelogd.',
      link: 'Nieuw wachtwoord instellen',
      hint: 'Als jij dit niet was, stel dan via de link meteen een nieuw wachtwoord in.',
    },
    factors_changed: {
      subject: 'Je inloginstellingen zijn gewijzigd',
      text: 'Een tweede factor van je Waymark-account is toegevoegd, verwijderd of vernieuwd: een passkey, een authenticator-app of herstelcodes.',
      link: 'Account openen',
      hint: 'Als jij dit niet was, wijzig dan meteen je wachtwoord en controleer je tweede factoren.',
    },
    new_device: {
      subject: 'Nieuwe aanmelding bij je account',
      text: 'Iemand heeft zich bij je Waymark-account aangemeld met een browser die je niet eerder hebt gebruikt.',
      link: 'Account openen',
      hint: 'Als jij dit was, hoef je niets te doen. Zo niet, wijzig dan meteen je wachtwoord. Daarmee worden alle andere browsers uitgelogd.',
    },
    endpoint_gone: {
      subject: 'Een webhook-endpoint van {organisation} is uitgeschakeld',
      text: 'Een ontvanger van {organisation} antwoordde met 410 Gone. Waymark heeft het endpoint uitgeschakeld en stuurt er niets meer naartoe.',
      link: 'Webhooks openen',
      hint: 'Gebeurtenissen worden 30 dagen bewaard. Ze worden verstuurd zodra je het endpoint hervat.',
    },
    endpoint_failing: {
      subject: 'Een webhook-endpoint van {organisation} is uitgeschakeld',
      text: 'Al vijf dagen mislukt elke poging om een ontvanger van {organisation} te bereiken. Waymark heeft het endpoint uitgeschakeld en stuurt er niets meer naartoe.',
      link: 'Webhooks openen',
      hint: 'Gebeurtenissen worden 30 dagen bewaard. Ze worden verstuurd zodra je het endpoint hervat.',
    },
    credits_low: {
      subject: '{organisation} heeft bijna geen credits meer',
      text: 'De chatbots van {organisation} hebben de meeste credits gebruikt. Resterende credits: {number}.',
      link: 'Waymark openen',
      hint: 'Als er geen credits meer zijn, antwoorden de chatbots niet meer. De beheerder van deze installatie kan credits toevoegen.',
    },
    credits_empty: {
      subject: '{organisation} heeft geen credits meer',
      text: 'De chatbots van {organisation} hebben alle credits gebruikt en beantwoorden geen vragen meer.',
      link: 'Waymark openen',
      hint: 'De beheerder van deze installatie kan credits toevoegen. Daarna antwoorden de chatbots weer.',
    },
    domain_failing: {
      subject: 'De records van {domain} zijn onjuist',
      text: 'Al drie dagen zijn de DNS-records van {domain} niet zoals Waymark verwacht. Als dit niet binnen vier dagen wordt hersteld, kan {organisation} het domein niet meer gebruiken en werken gedrukte codes met dit domein niet meer.',
      link: 'Domeinen openen',
      hint: 'Daar ziet u welke record onjuist is. Waymark controleert het domein elke dag.',
    },
    domain_lost: {
      subject: '{domain} wordt niet meer gebruikt',
      text: 'Al zeven dagen zijn de DNS-records van {domain} onjuist. Waymark toont onder dit domein niets meer van {organisation}.',
      link: 'Domeinen openen',
      hint: 'Zodra de records weer kloppen, wordt het domein weer gebruikt. Waymark blijft het een maand lang controleren.',
    },
    domain_taken_over: {
      subject: '{domain} is nu van een andere organisatie',
      text: 'Een andere organisatie heeft met een DNS-record bewezen dat {domain} van haar is. Waymark toont onder dit domein niets meer van {organisation}.',
      link: 'Domeinen openen',
      hint: 'Als het domein van u is, verwijder dan de onbekende DNS-record en maak de nieuwe aan die Waymark u toont.',
    },
    conversation_reply: {
      subject: '{organisation} heeft u geantwoord',
      text: 'Iemand van {organisation} heeft uw bericht in de chat beantwoord.',
      link: 'Het gesprek voortzetten',
      hint: 'De link werkt één keer, binnen 30 dagen. U ontvangt dit bericht omdat u in de chat uw adres hebt opgegeven. Was u dat niet, dan kunt u het negeren.',
    },
    submission: {
      subject: 'Nieuwe inzending {number}: {page}',
      text: 'Iemand heeft het formulier op uw pagina ‘{page}’ verstuurd. Dit is inzending nummer {number}.',
      link: 'Waymark openen',
      hint: 'U ontvangt dit bericht omdat de pagina u op de hoogte houdt. Krijgt een pagina in een uur heel veel inzendingen, dan worden ze niet allemaal gemaild.',
    },
  },
  facts: {
    invitedBy: 'Uitgenodigd door',
    newEmail: 'Nieuw adres',
    device: 'Browser',
    address: 'IP-adres',
    time: 'Tijd',
    endpoint: 'Endpoint',
    since: 'Mislukt sinds',
    answer: 'Antwoord',
  },
  footer: 'Automatisch verstuurd door Waymark op {url}.',
}
