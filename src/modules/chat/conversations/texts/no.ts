import type { NoticeTexts } from './texts.ts'

export const no: NoticeTexts = {
  agent_joined: 'Nå svarer en person fra teamet vårt.',
  resolved: 'Samtalen er merket som løst. Hvis du skriver igjen, starter en ny.',
  away: 'Ingen er tilgjengelig akkurat nå. Vi svarer så snart vi er tilbake.',
}
