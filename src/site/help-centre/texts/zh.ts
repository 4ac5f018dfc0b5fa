import type { Texts } from './texts.ts'

export const zh: Texts = {
  skipToContent: '跳至正文',
  home: '首页',
  search: '搜索',
  searchPlaceholder: '您需要什么帮助？',
  topics: '主题',
  allTopics: '全部主题',
  articles: '文章',
  allArticles: '全部文章',
  recentlyUpdated: '最近更新',
  articleCount: ['{n} 篇文章', '{n} 篇文章'],
  updatedOn: '更新日期：{date}',
  notTranslated: '本文暂无{wanted}版，当前显示{shown}版。',
  relatedArticles: '相关文章',
  language: '语言',
  breadcrumb: '当前位置',
  pages: '分页',
  previous: '上一页',
  next: '下一页',
  results: ['找到 {n} 条与“{q}”相关的结果', '找到 {n} 条与“{q}”相关的结果'],
  noResults: '没有与“{q}”相关的结果',
  searchAdvice: '请减少或更换关键词，也可以浏览各个主题。',
  otherLanguages: '没有{language}的搜索结果，以下是其他语言的结果。',
  empty: '这里还没有内容，请稍后再来。',
  feedback: {
    question: '这篇内容对您有帮助吗？',
    yes: '有',
    no: '没有',
    thanks: '谢谢。您的回答有助于我们改进此页面。',
  },
  missing: {
    title: '找不到此页面',
    text: '页面可能已被移动或删除。您可以搜索，或返回首页。',
  },
  unknown: {
    title: '找不到此帮助中心',
    text: '请检查网址，或重新扫描二维码。',
  },
  gone: {
    title: '此帮助中心已停止服务',
    text: '它已被永久删除。如需帮助，请联系所有者。',
  },
  unavailable: {
    title: '请稍候',
    text: '暂时无法显示此页面，几秒后将自动刷新。',
    retry: '重试',
  },
  notCounted: {
    title: '您的回答未被记录',
    text: '请返回上一页，一分钟后再试。',
  },
}
