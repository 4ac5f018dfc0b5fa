import type { Texts } from './texts.ts'

export const ja: Texts = {
  skipToContent: '本文へスキップ',
  home: 'ホーム',
  search: '検索',
  searchPlaceholder: '何をお探しですか？',
  topics: 'トピック',
  allTopics: 'すべてのトピック',
  articles: '記事',
  allArticles: 'すべての記事',
  recentlyUpdated: '最近更新された記事',
  articleCount: ['{n}件の記事', '{n}件の記事'],
  updatedOn: '更新日：{date}',
  notTranslated: 'この記事の{wanted}版はまだありません。{shown}版を表示しています。',
  relatedArticles: '関連記事',
  language: '言語',
  breadcrumb: '現在位置',
  pages: 'ページ送り',
  previous: '前へ',
  next: '次へ',
  results: ['「{q}」の検索結果：{n}件', '「{q}」の検索結果：{n}件'],
  noResults: '「{q}」の検索結果はありません',
  searchAdvice: 'キーワードを減らすか、別の言葉でお試しください。トピックから探すこともできます。',
  otherLanguages: '{language}の検索結果はありません。ほかの言語の結果を表示しています。',
  empty: 'まだコンテンツがありません。しばらくしてから、もう一度アクセスしてください。',
  feedback: {
    question: 'このページは役に立ちましたか？',
    yes: 'はい',
    no: 'いいえ',
    thanks: 'ありがとうございます。いただいた回答はページの改善に役立てます。',
  },
  missing: {
    title: 'ページが見つかりません',
    text: '移動または削除された可能性があります。検索するか、ホームからお探しください。',
  },
  unknown: {
    title: 'ヘルプセンターが見つかりません',
    text: 'URLを確認するか、コードをもう一度読み取ってください。',
  },
  gone: {
    title: 'このヘルプセンターは終了しました',
    text: '完全に削除されています。ご不明な点は、提供元にお問い合わせください。',
  },
  unavailable: {
    title: '少々お待ちください',
    text: 'ただいま、このページを表示できません。数秒後に自動で再読み込みされます。',
    retry: 'もう一度試す',
  },
  notCounted: {
    title: '回答を受け付けられませんでした',
    text: '前のページに戻り、1分ほどしてからもう一度お試しください。',
  },
}
