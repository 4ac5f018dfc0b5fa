import type { NoticeTexts } from './texts.ts'

export const no: NoticeTexts = {
  paused: {
    title: 'Koden er satt på pause',
    text: 'Eieren har slått den av midlertidig. Prøv igjen senere.',
  },
  not_set_up: {
    title: 'Koden er ikke satt opp ennå',
    text: 'Ingenting er koblet til den ennå. Kom gjerne tilbake snart.',
    owner: 'Er dette din kode? Velg hvor den skal lede, så er den klar til bruk.',
  },
  unknown: {
    title: 'Vi fant ikke koden',
    text: 'Sjekk adressen eller skann koden på nytt. Trykket kan være skadet.',
  },
  not_found: {
    title: 'Siden ble ikke funnet',
    text: 'Det finnes ingen side på denne adressen. Sjekk at den er riktig skrevet.',
  },
  gone: {
    title: 'Koden er ikke lenger i bruk',
    text: 'Den er slettet permanent. Kontakt eieren hvis du trenger hjelp.',
  },
  malformed: {
    title: 'Lenken er ugyldig',
    text: 'Adressen følger ikke reglene til GS1. Skann koden en gang til. Det kan hende at trykket er skadet.',
  },
  compressed: {
    title: 'Komprimerte lenker støttes ikke',
    text: 'Dette er en GS1 Digital Link i komprimert form. Bruk formen der produktnummeret kan leses.',
  },
  no_link: {
    title: 'Denne informasjonen er ikke tilgjengelig',
    text: 'Eieren har ikke lagt til en lenke av typen du ba om. Skann koden for å se hva som finnes.',
  },
  unavailable: {
    title: 'Et øyeblikk',
    text: 'Vi kan ikke hente koden akkurat nå. Siden lastes inn på nytt automatisk om noen sekunder.',
    retry: 'Prøv igjen',
  },
}
