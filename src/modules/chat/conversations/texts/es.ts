import type { NoticeTexts } from './texts.ts'

export const es: NoticeTexts = {
  agent_joined: 'Ahora le responde una persona de nuestro equipo.',
  resolved: 'Esta conversación se ha marcado como resuelta. Si vuelve a escribir, empezará una nueva.',
  away: 'Ahora mismo no hay nadie disponible. Le responderemos en cuanto volvamos.',
}
