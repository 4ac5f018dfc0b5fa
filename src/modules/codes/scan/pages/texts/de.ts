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
  malformed: {
    title: 'Dieser Link ist ungültig',
    text: 'Die Adresse entspricht nicht den Regeln von GS1. Bitte scannen Sie den Code noch einmal. Vielleicht ist der Aufdruck unleserlich.',
  },
  compressed: {
    title: 'Komprimierte Links werden nicht unterstützt',
    text: 'Dies ist ein GS1 Digital Link in komprimierter Form. Bitte verwenden Sie die Form, in der die Produktnummer lesbar ist.',
  },
  no_link: {
    title: 'Diese Information ist nicht verfügbar',
    text: 'Der Anbieter hat keinen Link der gewünschten Art hinterlegt. Bitte scannen Sie den Code, um zu sehen, was es gibt.',
  },
  unavailable: {
    title: 'Einen Moment bitte',
    text: 'Dieser Code kann gerade nicht abgerufen werden. Die Seite wird in wenigen Sekunden automatisch neu geladen.',
    retry: 'Erneut versuchen',
  },
}
