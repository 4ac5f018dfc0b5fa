import type { NoticeTexts } from './texts.ts'

export const zh: NoticeTexts = {
  paused: {
    title: '此二维码已暂停使用',
    text: '所有者已暂时将其停用，请稍后再试。',
  },
  not_set_up: {
    title: '此二维码尚未设置',
    text: '目前还没有关联任何内容，请稍后再来。',
    owner: '这是您的二维码吗？设置跳转目标后即可使用。',
  },
  unknown: {
    title: '找不到此二维码',
    text: '请检查网址，或重新扫描。印刷的二维码可能已破损。',
  },
  not_found: {
    title: '找不到页面',
    text: '此网址没有对应的页面。请检查是否输入有误。',
  },
  gone: {
    title: '此二维码已停止使用',
    text: '它已被永久删除。如需帮助，请联系所有者。',
  },
  unavailable: {
    title: '请稍候',
    text: '暂时无法查询此二维码，页面将在几秒后自动刷新。',
    retry: '重试',
  },
}
