import type { NoticeTexts } from './texts.ts'

export const de: NoticeTexts = {
  paused: {
    title: 'Dieser Code ist pausiert',
    text: 'Der Anbieter hat ihn vorübergehend deaktiviert. Bitte versuchen Sie es später noch einmal.',
  },
  not_set_up: {
    title: 'Dieser Code ist noch nicht eingerichtet',
    text: 'Hier ist noch nichts hinterlegt. Bitte schauen Sie bald wieder vorbei.',
    owner: 'Ist das Ihr Code? Legen Sie ein Ziel fest, dann ist er einsatzbereit.',
  },
  unknown: {
    title: 'Dieser Code wurde nicht gefunden',
    text: 'Bitte prüfen Sie die Adresse oder scannen Sie den Code noch einmal. Möglicherweise ist der Aufdruck beschädigt.',
  },
  not_found: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es keine Seite. Bitte prüfen Sie sie auf Tippfehler.',
  },
  gone: {
    title: 'Dieser Code wird nicht mehr verwendet',
    text: 'Er wurde endgültig gelöscht. Bei Fragen wenden Sie sich bitte an den Anbieter.',
  },
  unavailable: {
    title: 'Einen Moment bitte',
    text: 'Dieser Code kann gerade nicht abgerufen werden. Die Seite wird in wenigen Sekunden automatisch neu geladen.',
    retry: 'Erneut versuchen',
  },
}
