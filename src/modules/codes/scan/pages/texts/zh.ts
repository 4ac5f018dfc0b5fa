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
  malformed: {
    title: '此链接无效',
    text: '网址不符合 GS1 的规则。请重新扫描二维码，印刷可能已损坏。',
  },
  compressed: {
    title: '不支持压缩链接',
    text: '这是压缩形式的 GS1 Digital Link。请使用可以直接看到产品编号的链接。',
  },
  no_link: {
    title: '没有此类信息',
    text: '所有者尚未添加您所请求类型的链接。请扫描二维码查看可用的内容。',
  },
  unavailable: {
    title: '请稍候',
    text: '暂时无法查询此二维码，页面将在几秒后自动刷新。',
    retry: '重试',
  },
}
