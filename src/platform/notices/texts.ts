import type { Language } from '../contract/languages.ts'

export interface Labels {
  helpCentre: string
  /** The list of languages. */
  languages: string
}

/** The words of all notices. */
export const LABELS: Record<Language, Labels> = {
  en: { helpCentre: 'Help centre', languages: 'Languages' },
  ja: { helpCentre: 'ヘルプセンター', languages: '言語' },
  de: { helpCentre: 'Hilfe-Center', languages: 'Sprachen' },
  fr: { helpCentre: 'Centre d’aide', languages: 'Langues' },
  ko: { helpCentre: '고객 센터', languages: '언어' },
  zh: { helpCentre: '帮助中心', languages: '语言' },
  nl: { helpCentre: 'Helpcentrum', languages: 'Talen' },
  sv: { helpCentre: 'Hjälpcenter', languages: 'Språk' },
  es: { helpCentre: 'Centro de ayuda', languages: 'Idiomas' },
  it: { helpCentre: 'Centro assistenza', languages: 'Lingue' },
  no: { helpCentre: 'Hjelpesenter', languages: 'Språk' },
  pt: { helpCentre: 'Central de ajuda', languages: 'Idiomas' },
  pl: { helpCentre: 'Centrum pomocy', languages: 'Języki' },
  da: { helpCentre: 'Hjælpecenter', languages: 'Sprog' },
  fi: { helpCentre: 'Ohjekeskus', languages: 'Kielet' },
  ar: { helpCentre: 'مركز المساعدة', languages: 'اللغات' },
}
