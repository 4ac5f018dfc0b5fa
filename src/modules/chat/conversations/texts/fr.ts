import type { NoticeTexts } from './texts.ts'

export const fr: NoticeTexts = {
  agent_joined: 'Une personne de notre équipe vous répond maintenant.',
  resolved:
    'Cette conversation a été marquée comme résolue. Si vous écrivez à nouveau, une nouvelle conversation commence.',
  away: 'Personne n’est disponible pour le moment. Nous vous répondrons dès notre retour.',
}
