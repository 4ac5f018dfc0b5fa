import type { NoticeTexts } from './texts.ts'

export const sv: NoticeTexts = {
  paused: {
    title: 'Koden är pausad',
    text: 'Ägaren har stängt av den tillfälligt. Försök igen senare.',
  },
  not_set_up: {
    title: 'Koden är inte konfigurerad än',
    text: 'Inget är kopplat till den än. Kom gärna tillbaka snart.',
    owner: 'Är det din kod? Ange vart den ska leda så är den klar att använda.',
  },
  unknown: {
    title: 'Vi hittar inte koden',
    text: 'Kontrollera adressen eller skanna koden igen. Trycket kan vara skadat.',
  },
  not_found: {
    title: 'Sidan hittades inte',
    text: 'Det finns ingen sida på den här adressen. Kontrollera att den är rätt skriven.',
  },
  gone: {
    title: 'Koden används inte längre',
    text: 'Den har tagits bort permanent. Kontakta ägaren om du behöver hjälp.',
  },
  malformed: {
    title: 'Länken är ogiltig',
    text: 'Adressen följer inte GS1:s regler. Skanna koden en gång till. Det kan hända att trycket är skadat.',
  },
  compressed: {
    title: 'Komprimerade länkar stöds inte',
    text: 'Det här är en GS1 Digital Link i komprimerad form. Använd formen där produktnumret går att läsa.',
  },
  no_link: {
    title: 'Den här informationen är inte tillgänglig',
    text: 'Ägaren har inte lagt till någon länk av den typ du bad om. Skanna koden för att se vad som finns.',
  },
  unavailable: {
    title: 'Ett ögonblick',
    text: 'Vi kan inte hämta koden just nu. Sidan läses in igen automatiskt om några sekunder.',
    retry: 'Försök igen',
  },
}
