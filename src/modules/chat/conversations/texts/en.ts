import type { NoticeTexts } from './texts.ts'

export const en: NoticeTexts = {
  agent_joined: 'A person from our team is now answering you.',
  resolved: 'This conversation has been marked as resolved. If you write again, a new one begins.',
  away: 'Nobody is available right now. We will answer as soon as we are back.',
}
