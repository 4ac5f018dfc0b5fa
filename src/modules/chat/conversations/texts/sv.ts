import type { NoticeTexts } from './texts.ts'

export const sv: NoticeTexts = {
  agent_joined: 'Nu svarar en person i vårt team.',
  resolved: 'Konversationen har markerats som löst. Om du skriver igen börjar en ny.',
  away: 'Ingen är tillgänglig just nu. Vi svarar så snart vi är tillbaka.',
}
