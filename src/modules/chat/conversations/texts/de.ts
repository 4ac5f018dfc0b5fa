import type { NoticeTexts } from './texts.ts'

export const de: NoticeTexts = {
  agent_joined: 'Ab jetzt antwortet Ihnen jemand aus unserem Team.',
  resolved: 'Diese Unterhaltung wurde als gelöst markiert. Wenn Sie wieder schreiben, beginnt eine neue.',
  away: 'Zurzeit ist niemand erreichbar. Wir antworten, sobald wir wieder da sind.',
}
