import type { NoticeTexts } from './texts.ts'

export const ko: NoticeTexts = {
  agent_joined: '이제 담당자가 답변해 드립니다.',
  resolved: '이 대화는 해결된 것으로 표시되었습니다. 다시 글을 보내시면 새 대화가 시작됩니다.',
  away: '지금은 답변할 수 있는 담당자가 없습니다. 돌아오는 대로 답변해 드리겠습니다.',
}
