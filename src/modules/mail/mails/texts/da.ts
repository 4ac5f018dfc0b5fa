import type { MailTexts } from './texts.ts'

export const da: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Bliv en del af {organisation} på Waymark',
      text: 'Du er inviteret til {organisation} på Waymark.',
      link: 'Åbn invitationen',
      hint: 'Linket virker én gang inden for syv dage. Hvis du ikke kender organisationen, kan du se bort fra denne besked.',
    },
    reset_password: {
      subject: 'Vælg en ny adgangskode til Waymark',
      text: 'Nogen har bedt om en ny adgangskode til din Waymark-konto.',
      link: 'Vælg en ny adgangskode',
      hint: 'Linket virker én gang inden for en time. Hvis det ikke var dig, kan du se bort fra denne besked. Din adgangskode er uændret.',
    },
    change_email: {
      subject: 'Bekræft din nye e-mailadresse',
      text: 'Nogen har bedt om at bruge denne e-mailadresse til en Waymark-konto.',
      link: 'Bekræft adressen',
      hint: 'Linket virker én gang inden for et døgn. Hvis det ikke var dig, kan du se bort fra denne besked.',
    },
    email_changed: {
      subject: 'Din e-mailadresse er ændret',
      text: 'Din Waymark-konto bruger nu en anden e-mailadresse. Vi sender ikke længere beskeder om kontoen til denne adresse.',
      link: 'Åbn din konto',
      hint: 'Hvis det ikke var dig, skal du straks kontakte en ejer af din organisation eller den, der driver denne installation.',
    },
    password_changed: {
      subject: 'Din adgangskode er ændret',
      text: 'Adgangskoden til din Waymark-konto er ændret. Du er logget ud i alle andre browsere.',
      link: 'Vælg en ny adgangskode',
      hint: 'Hvis det ikke var dig, skal du straks bruge linket til at vælge en ny adgangskode.',
    },
    factors_changed: {
      subject: 'Dine loginindstillinger er ændret',
      text: 'En ekstra faktor for din Waymark-konto er tilføjet, fjernet eller fornyet: en adgangsnøgle, en godkendelsesapp eller gendannelseskoder.',
      link: 'Åbn din konto',
      hint: 'Hvis det ikke var dig, skal du straks ændre din adgangskode og kontrollere dine ekstra faktorer.',
    },
    new_device: {
      subject: 'Nyt login på din konto',
      text: 'Nogen har logget ind på din Waymark-konto med en browser, som du ikke har brugt før.',
      link: 'Åbn din konto',
      hint: 'Hvis det var dig, behøver du ikke gøre noget. Hvis ikke, skal du straks ændre din adgangskode. Så bliver alle andre browsere logget ud.',
    },
    endpoint_gone: {
      subject: 'Et webhook-endpoint for {organisation} er slået fra',
      text: 'En modtager for {organisation} svarede 410 Gone. Waymark har slået endpointet fra og sender ikke mere til det.',
      link: 'Åbn webhooks',
      hint: 'Hændelser gemmes i 30 dage. De bliver sendt, når du genoptager endpointet.',
    },
    endpoint_failing: {
      subject: 'Et webhook-endpoint for {organisation} er slået fra',
      text: 'Alle forsøg på at nå en modtager for {organisation} er mislykkedes i fem dage. Waymark har slået endpointet fra og sender ikke mere til det.',
      link: 'Åbn webhooks',
      hint: 'Hændelser gemmes i 30 dage. De bliver sendt, når du genoptager endpointet.',
    },
    credits_low: {
      subject: '{organisation} har snart ikke flere kreditter',
      text: 'Chatbotterne hos {organisation} har brugt de fleste kreditter. Kreditter tilbage: {number}.',
      link: 'Åbn Waymark',
      hint: 'Når der ikke er flere kreditter, holder chatbotterne op med at svare. Den, der driver denne installation, kan tilføje kreditter.',
    },
    credits_empty: {
      subject: '{organisation} har ikke flere kreditter',
      text: 'Chatbotterne hos {organisation} har brugt alle kreditter og svarer ikke længere på spørgsmål.',
      link: 'Åbn Waymark',
      hint: 'Den, der driver denne installation, kan tilføje kreditter. Derefter svarer chatbotterne igen.',
    },
    domain_failing: {
      subject: 'DNS-posterne for {domain} er forkerte',
      text: 'I tre dage har DNS-posterne for {domain} ikke været, som Waymark forventer. Hvis det ikke bliver rettet inden for fire dage, kan {organisation} ikke længere bruge domænet, og trykte koder med domænet holder op med at virke.',
      link: 'Åbn domæner',
      hint: 'Der kan du se, hvilken post der er forkert. Waymark kontrollerer domænet hver dag.',
    },
    domain_lost: {
      subject: '{domain} bruges ikke længere',
      text: 'DNS-posterne for {domain} har været forkerte i syv dage. Waymark viser ikke længere noget fra {organisation} på dette domæne.',
      link: 'Åbn domæner',
      hint: 'Når posterne er rigtige igen, tages domænet i brug igen. Waymark bliver ved med at kontrollere det i en måned.',
    },
    domain_taken_over: {
      subject: '{domain} tilhører nu en anden organisation',
      text: 'En anden organisation har med en DNS-post bevist, at {domain} tilhører den. Waymark viser ikke længere noget fra {organisation} på dette domæne.',
      link: 'Åbn domæner',
      hint: 'Hvis domænet er dit, skal du fjerne den ukendte DNS-post og oprette den nye, som Waymark viser dig.',
    },
    conversation_reply: {
      subject: '{organisation} har svaret dig',
      text: 'En person fra {organisation} har svaret på din besked i chatten.',
      link: 'Fortsæt samtalen',
      hint: 'Linket virker én gang inden for 30 dage. Du får denne besked, fordi du har skrevet din adresse i chatten. Hvis det ikke var dig, kan du se bort fra den.',
    },
    submission: {
      subject: 'Ny indsendelse {number}: {page}',
      text: 'Nogen har sendt formularen på din side “{page}”. Det er indsendelse nummer {number}.',
      link: 'Åbn Waymark',
      hint: 'Du får denne besked, fordi siden giver dig besked. Når en side får rigtig mange indsendelser på en time, bliver de ikke alle sendt som mail.',
    },
  },
  facts: {
    invitedBy: 'Inviteret af',
    newEmail: 'Ny adresse',
    device: 'Browser',
    address: 'IP-adresse',
    time: 'Tidspunkt',
    endpoint: 'Endpoint',
    since: 'Fejler siden',
    answer: 'Svar',
  },
  footer: 'Sendt automatisk af Waymark på {url}.',
}
