import type { NoticeTexts } from './texts.ts'

export const fi: NoticeTexts = {
  agent_joined: 'Tiimimme jäsen vastaa sinulle nyt.',
  resolved: 'Tämä keskustelu on merkitty ratkaistuksi. Jos kirjoitat uudelleen, alkaa uusi keskustelu.',
  away: 'Kukaan ei ole juuri nyt paikalla. Vastaamme heti, kun olemme taas paikalla.',
}
