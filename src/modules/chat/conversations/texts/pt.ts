import type { NoticeTexts } from './texts.ts'

export const pt: NoticeTexts = {
  agent_joined: 'A partir de agora, responde uma pessoa da nossa equipe.',
  resolved: 'Esta conversa foi marcada como resolvida. Se escrever novamente, começa uma nova.',
  away: 'Neste momento, não há ninguém disponível. Responderemos assim que voltarmos.',
}
