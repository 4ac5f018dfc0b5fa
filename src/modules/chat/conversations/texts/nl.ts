import type { NoticeTexts } from './texts.ts'

export const nl: NoticeTexts = {
  agent_joined: 'Iemand van ons team beantwoordt nu uw vragen.',
  resolved: 'Dit gesprek is gemarkeerd als opgelost. Als u weer schrijft, begint een nieuw gesprek.',
  away: 'Er is op dit moment niemand beschikbaar. We antwoorden zodra we terug zijn.',
}
