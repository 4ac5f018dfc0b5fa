import type { Texts } from './texts.ts'

export const ko: Texts = {
  skipToContent: '본문으로 건너뛰기',
  home: '홈',
  search: '검색',
  searchPlaceholder: '무엇을 도와드릴까요?',
  topics: '주제',
  allTopics: '모든 주제',
  articles: '문서',
  allArticles: '모든 문서',
  recentlyUpdated: '최근 업데이트',
  articleCount: ['문서 {n}개', '문서 {n}개'],
  updatedOn: '{date} 업데이트',
  notTranslated: '아직 {wanted}로 제공되지 않습니다. {shown} 버전을 표시합니다.',
  relatedArticles: '관련 문서',
  language: '언어',
  breadcrumb: '현재 위치',
  pages: '페이지',
  previous: '이전',
  next: '다음',
  results: ['‘{q}’ 검색 결과 {n}개', '‘{q}’ 검색 결과 {n}개'],
  noResults: '‘{q}’ 검색 결과가 없습니다',
  searchAdvice: '검색어를 줄이거나 바꿔 보세요. 주제에서 찾아볼 수도 있습니다.',
  otherLanguages: '{language} 검색 결과가 없습니다. 다른 언어로 된 결과를 표시합니다.',
  empty: '아직 내용이 없습니다. 나중에 다시 확인해 주세요.',
  feedback: {
    question: '도움이 되었나요?',
    yes: '예',
    no: '아니요',
    thanks: '감사합니다. 보내 주신 답변은 이 페이지를 개선하는 데 쓰입니다.',
  },
  missing: {
    title: '페이지를 찾을 수 없습니다',
    text: '이동되었거나 삭제되었을 수 있습니다. 검색하거나 홈으로 이동해 주세요.',
  },
  unknown: {
    title: '도움말 센터를 찾을 수 없습니다',
    text: '주소를 확인하거나 코드를 다시 스캔해 주세요.',
  },
  gone: {
    title: '더 이상 제공되지 않는 도움말 센터입니다',
    text: '이 도움말 센터는 완전히 삭제되었습니다. 도움이 필요하면 소유자에게 문의해 주세요.',
  },
  unavailable: {
    title: '잠시만 기다려 주세요',
    text: '지금은 이 페이지를 표시할 수 없습니다. 몇 초 후 자동으로 새로고침됩니다.',
    retry: '다시 시도',
  },
  notCounted: {
    title: '답변이 반영되지 않았습니다',
    text: '이전 페이지로 돌아가 1분 후에 다시 시도해 주세요.',
  },
}
