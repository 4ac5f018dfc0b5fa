import type { NoticeTexts } from './texts.ts'

export const ja: NoticeTexts = {
  agent_joined: 'ここからは担当者がお答えします。',
  resolved: 'この会話は解決済みになりました。もう一度メッセージを送ると、新しい会話が始まります。',
  away: 'ただいま担当者が不在です。戻り次第お答えします。',
}
