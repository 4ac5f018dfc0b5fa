import type { NoticeTexts } from './texts.ts'

export const zh: NoticeTexts = {
  agent_joined: '现在由我们的工作人员为您解答。',
  resolved: '此对话已标记为已解决。如果您再次发送消息，将开始新的对话。',
  away: '目前没有工作人员在线。我们回来后会尽快回复您。',
}
