import type { NoticeTexts } from './texts.ts'

export const pl: NoticeTexts = {
  agent_joined: 'Teraz odpowiada Ci osoba z naszego zespołu.',
  resolved: 'Ta rozmowa została oznaczona jako rozwiązana. Jeśli napiszesz ponownie, rozpocznie się nowa.',
  away: 'W tej chwili nikt nie jest dostępny. Odpowiemy, gdy tylko wrócimy.',
}
