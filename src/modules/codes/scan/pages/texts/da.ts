import type { NoticeTexts } from './texts.ts'

export const da: NoticeTexts = {
  paused: {
    title: 'Denne kode er sat på pause',
    text: 'Ejeren har slået den fra indtil videre. Prøv igen senere.',
  },
  not_set_up: {
    title: 'Denne kode er ikke sat op endnu',
    text: 'Der er endnu ikke knyttet noget til den. Kig forbi igen snart.',
    owner: 'Er det din kode? Tilføj en destination, så er den klar til brug.',
  },
  unknown: {
    title: 'Vi kunne ikke finde denne kode',
    text: 'Kontrollér adressen, eller scan koden igen. Trykket kan være beskadiget.',
  },
  not_found: {
    title: 'Siden blev ikke fundet',
    text: 'Der er ingen side på denne adresse. Kontrollér den for tastefejl.',
  },
  gone: {
    title: 'Denne kode er ikke længere i brug',
    text: 'Den er slettet permanent. Kontakt ejeren, hvis du har brug for hjælp.',
  },
  malformed: {
    title: 'Dette link er ikke gyldigt',
    text: 'Adressen følger ikke reglerne fra GS1. Scan koden igen. Trykket kan være beskadiget.',
  },
  compressed: {
    title: 'Komprimerede links understøttes ikke',
    text: 'Dette er et GS1 Digital Link i komprimeret form. Brug den form, hvor du kan læse produktnummeret.',
  },
  no_link: {
    title: 'Disse oplysninger er ikke tilgængelige',
    text: 'Ejeren har ikke tilføjet et link af den type, du bad om. Scan koden for at se, hvad der er tilgængeligt.',
  },
  unavailable: {
    title: 'Et øjeblik',
    text: 'Vi kan ikke slå denne kode op lige nu. Siden genindlæses automatisk om få sekunder.',
    retry: 'Prøv igen',
  },
}
