import type { NoticeTexts } from './texts.ts'

export const nl: NoticeTexts = {
  paused: {
    title: 'Deze code is gepauzeerd',
    text: 'De eigenaar heeft de code tijdelijk uitgeschakeld. Probeer het later opnieuw.',
  },
  not_set_up: {
    title: 'Deze code is nog niet ingesteld',
    text: 'Er is nog niets aan gekoppeld. Kom later nog eens terug.',
    owner: 'Is dit jouw code? Voeg een bestemming toe en de code is klaar voor gebruik.',
  },
  unknown: {
    title: 'We kunnen deze code niet vinden',
    text: 'Controleer het adres of scan de code opnieuw. Misschien is de afdruk beschadigd.',
  },
  not_found: {
    title: 'Pagina niet gevonden',
    text: 'Er is geen pagina op dit adres. Controleer het op typefouten.',
  },
  gone: {
    title: 'Deze code is niet meer in gebruik',
    text: 'De code is definitief verwijderd. Heb je hulp nodig? Neem contact op met de eigenaar.',
  },
  malformed: {
    title: 'Deze link is ongeldig',
    text: 'Het adres voldoet niet aan de regels van GS1. Scan de code nog een keer. De afdruk is mogelijk beschadigd.',
  },
  compressed: {
    title: 'Gecomprimeerde links worden niet ondersteund',
    text: 'Dit is een GS1 Digital Link in gecomprimeerde vorm. Gebruik de vorm waarin je het productnummer kunt lezen.',
  },
  no_link: {
    title: 'Deze informatie is niet beschikbaar',
    text: 'De eigenaar heeft geen link van het gevraagde type toegevoegd. Scan de code om te zien wat er wel is.',
  },
  unavailable: {
    title: 'Een ogenblik geduld',
    text: 'We kunnen deze code nu niet opzoeken. De pagina wordt over enkele seconden automatisch vernieuwd.',
    retry: 'Opnieuw proberen',
  },
}
