import type { MailTexts } from './texts.ts'

export const sv: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Gå med i {organisation} på Waymark',
      text: 'Du har bjudits in att gå med i {organisation} på Waymark.',
      link: 'Öppna inbjudan',
      hint: 'Länken fungerar en gång, inom sju dagar. Om du inte känner till organisationen kan du bortse från det här meddelandet.',
    },
    reset_password: {
      subject: 'Ange ett nytt lösenord för Waymark',
      text: 'Någon har begärt ett nytt lösenord för ditt Waymark-konto.',
      link: 'Ange ett nytt lösenord',
      hint: 'Länken fungerar en gång, inom en timme. Om det inte var du kan du bortse från det här meddelandet. Ditt lösenord ändras inte.',
    },
    change_email: {
      subject: 'Bekräfta din nya e-postadress',
      text: 'Någon vill använda den här e-postadressen för ett Waymark-konto.',
      link: 'Bekräfta adressen',
      hint: 'Länken fungerar en gång, inom ett dygn. Om det inte var du kan du bortse från det här meddelandet.',
    },
    email_changed: {
      subject: 'Din e-postadress har ändrats',
      text: 'Ditt Waymark-konto använder nu en annan e-postadress. Vi skickar inte längre meddelanden om kontot till den här adressen.',
      link: 'Öppna ditt konto',
      hint: 'Om det inte var du, kontakta genast en ägare i din organisation eller den som driver den här installationen.',
    },
    password_changed: {
      subject: 'Ditt lösenord har ändrats',
      text: 'Lösenordet för ditt Waymark-konto har ändrats. Du har loggats ut i alla andra webbläsare.',
      link: 'Ange ett nytt lösenord',
      hint: 'Om det inte var du, använd länken för att genast ange ett nytt lösenord.',
    },
    factors_changed: {
      subject: 'Dina inloggningsinställningar har ändrats',
      text: 'En andra faktor för ditt Waymark-konto har lagts till, tagits bort eller förnyats: en nyckel, en autentiseringsapp eller återställningskoder.',
      link: 'Öppna ditt konto',
      hint: 'Om det inte var du, ändra genast ditt lösenord och kontrollera dina andra faktorer.',
    },
    new_device: {
      subject: 'Ny inloggning på ditt konto',
      text: 'Någon loggade in på ditt Waymark-konto med en webbläsare som du inte har använt tidigare.',
      link: 'Öppna ditt konto',
      hint: 'Om det var du behöver du inte göra något. Annars, ändra genast ditt lösenord. Då loggas alla andra webbläsare ut.',
    },
    endpoint_gone: {
      subject: 'En webhook-slutpunkt för {organisation} har inaktiverats',
      text: 'En mottagare för {organisation} svarade 410 Gone. Waymark har inaktiverat slutpunkten och skickar inget mer till den.',
      link: 'Öppna webhooks',
      hint: 'Händelser sparas i 30 dagar. De skickas när du återupptar slutpunkten.',
    },
    endpoint_failing: {
      subject: 'En webhook-slutpunkt för {organisation} har inaktiverats',
      text: 'I fem dagar har varje försök att nå en mottagare för {organisation} misslyckats. Waymark har inaktiverat slutpunkten och skickar inget mer till den.',
      link: 'Öppna webhooks',
      hint: 'Händelser sparas i 30 dagar. De skickas när du återupptar slutpunkten.',
    },
    credits_low: {
      subject: '{organisation} har få krediter kvar',
      text: 'Chattbotarna för {organisation} har använt de flesta krediterna. Krediter kvar: {number}.',
      link: 'Öppna Waymark',
      hint: 'När det inte finns några krediter kvar slutar chattbotarna att svara. Den som driver den här installationen kan lägga till krediter.',
    },
    credits_empty: {
      subject: '{organisation} har inga krediter kvar',
      text: 'Chattbotarna för {organisation} har använt alla krediter och svarar inte längre på frågor.',
      link: 'Öppna Waymark',
      hint: 'Den som driver den här installationen kan lägga till krediter. Då svarar chattbotarna igen.',
    },
    domain_failing: {
      subject: 'Posterna för {domain} är felaktiga',
      text: 'I tre dagar har DNS-posterna för {domain} inte varit som Waymark förväntar sig. Om detta inte rättas inom fyra dagar kan {organisation} inte längre använda domänen, och tryckta koder med den slutar fungera.',
      link: 'Öppna domäner',
      hint: 'Där ser du vilken post som är felaktig. Waymark kontrollerar domänen varje dag.',
    },
    domain_lost: {
      subject: '{domain} används inte längre',
      text: 'I sju dagar har DNS-posterna för {domain} varit felaktiga. Waymark visar inte längre något från {organisation} under denna domän.',
      link: 'Öppna domäner',
      hint: 'När posterna är rätt igen används domänen igen. Waymark fortsätter att kontrollera den i en månad.',
    },
    domain_taken_over: {
      subject: '{domain} tillhör nu en annan organisation',
      text: 'En annan organisation har bevisat med en DNS-post att {domain} tillhör den. Waymark visar inte längre något från {organisation} under denna domän.',
      link: 'Öppna domäner',
      hint: 'Om domänen är din tar du bort den okända DNS-posten och skapar den nya som Waymark visar dig.',
    },
    conversation_reply: {
      subject: '{organisation} har svarat dig',
      text: 'En person på {organisation} har svarat på ditt meddelande i chatten.',
      link: 'Fortsätt konversationen',
      hint: 'Länken fungerar en gång, inom 30 dagar. Du får det här meddelandet eftersom du lämnade din adress i chatten. Om det inte var du kan du bortse från det.',
    },
    submission: {
      subject: 'Nytt formulärsvar {number}: {page}',
      text: 'Någon har skickat formuläret på din sida ”{page}”. Det är svar nummer {number}.',
      link: 'Öppna Waymark',
      hint: 'Du får det här meddelandet eftersom sidan meddelar dig. Om en sida får väldigt många svar på en timme mejlas inte alla.',
    },
  },
  facts: {
    invitedBy: 'Inbjuden av',
    newEmail: 'Ny adress',
    device: 'Webbläsare',
    address: 'IP-adress',
    time: 'Tid',
    endpoint: 'Slutpunkt',
    since: 'Misslyckas sedan',
    answer: 'Svar',
  },
  footer: 'Skickat automatiskt av Waymark på {url}.',
}
