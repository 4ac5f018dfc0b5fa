import type { NoticeTexts } from './texts.ts'

export const da: NoticeTexts = {
  agent_joined: 'Nu svarer en person fra vores team dig.',
  resolved: 'Denne samtale er markeret som løst. Hvis du skriver igen, begynder en ny.',
  away: 'Der er ingen ledige lige nu. Vi svarer, så snart vi er tilbage.',
}
