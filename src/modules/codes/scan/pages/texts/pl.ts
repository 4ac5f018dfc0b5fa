import type { NoticeTexts } from './texts.ts'

export const pl: NoticeTexts = {
  paused: {
    title: 'Ten kod jest wstrzymany',
    text: 'Właściciel na razie go wyłączył. Spróbuj ponownie później.',
  },
  not_set_up: {
    title: 'Ten kod nie jest jeszcze skonfigurowany',
    text: 'Nic nie jest jeszcze z nim powiązane. Zajrzyj tu wkrótce.',
    owner: 'To Twój kod? Dodaj adres docelowy, a będzie gotowy do użycia.',
  },
  unknown: {
    title: 'Nie znaleźliśmy tego kodu',
    text: 'Sprawdź adres lub zeskanuj kod ponownie. Nadruk może być uszkodzony.',
  },
  not_found: {
    title: 'Nie znaleziono strony',
    text: 'Pod tym adresem nie ma strony. Sprawdź, czy nie ma w nim literówek.',
  },
  gone: {
    title: 'Ten kod nie jest już używany',
    text: 'Został trwale usunięty. Jeśli potrzebujesz pomocy, skontaktuj się z właścicielem.',
  },
  malformed: {
    title: 'Ten link jest nieprawidłowy',
    text: 'Adres nie jest zgodny z zasadami GS1. Zeskanuj kod ponownie. Nadruk może być uszkodzony.',
  },
  compressed: {
    title: 'Skompresowane linki nie są obsługiwane',
    text: 'To jest GS1 Digital Link w postaci skompresowanej. Użyj postaci, w której można odczytać numer produktu.',
  },
  no_link: {
    title: 'Ta informacja jest niedostępna',
    text: 'Właściciel nie dodał linku żądanego typu. Zeskanuj kod, aby zobaczyć, co jest dostępne.',
  },
  unavailable: {
    title: 'Chwileczkę',
    text: 'W tej chwili nie możemy odszukać tego kodu. Strona odświeży się automatycznie za kilka sekund.',
    retry: 'Spróbuj ponownie',
  },
}
