import type { NoticeTexts } from './texts.ts'

export const it: NoticeTexts = {
  agent_joined: 'Ora ti risponde una persona del nostro team.',
  resolved: 'Questa conversazione è stata contrassegnata come risolta. Se scrivi di nuovo, ne inizia una nuova.',
  away: 'Al momento non è disponibile nessuno. Ti risponderemo appena saremo di nuovo qui.',
}
