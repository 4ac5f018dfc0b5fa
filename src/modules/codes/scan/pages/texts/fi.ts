import type { NoticeTexts } from './texts.ts'

export const fi: NoticeTexts = {
  paused: {
    title: 'Tämä koodi on tauolla',
    text: 'Omistaja on poistanut sen toistaiseksi käytöstä. Yritä myöhemmin uudelleen.',
  },
  not_set_up: {
    title: 'Tätä koodia ei ole vielä otettu käyttöön',
    text: 'Siihen ei ole vielä liitetty mitään. Kokeile pian uudelleen.',
    owner: 'Onko tämä sinun koodisi? Lisää kohde, niin se on valmis käyttöön.',
  },
  unknown: {
    title: 'Tätä koodia ei löytynyt',
    text: 'Tarkista osoite tai skannaa koodi uudelleen. Painatus voi olla vaurioitunut.',
  },
  not_found: {
    title: 'Sivua ei löytynyt',
    text: 'Tässä osoitteessa ei ole sivua. Tarkista, onko osoitteessa kirjoitusvirhe.',
  },
  gone: {
    title: 'Tämä koodi ei ole enää käytössä',
    text: 'Se on poistettu pysyvästi. Jos tarvitset apua, ota yhteyttä omistajaan.',
  },
  malformed: {
    title: 'Tämä linkki ei kelpaa',
    text: 'Osoite ei noudata GS1-sääntöjä. Skannaa koodi uudelleen. Painatus voi olla vaurioitunut.',
  },
  compressed: {
    title: 'Pakattuja linkkejä ei tueta',
    text: 'Tämä on GS1 Digital Link pakatussa muodossa. Käytä muotoa, josta tuotenumeron voi lukea.',
  },
  no_link: {
    title: 'Tätä tietoa ei ole saatavilla',
    text: 'Omistaja ei ole lisännyt pyytämääsi linkkityyppiä. Skannaa koodi, niin näet, mitä on saatavilla.',
  },
  unavailable: {
    title: 'Hetkinen',
    text: 'Emme voi hakea tätä koodia juuri nyt. Sivu latautuu itsestään uudelleen muutaman sekunnin kuluttua.',
    retry: 'Yritä uudelleen',
  },
}
