import type { AnswerTexts } from './texts.ts'

export const ja: AnswerTexts = {
  from: '「{title}」より：',
  alsoFrom: 'こちらもご覧ください「{title}」：',
  dontKnow: '申し訳ありませんが、その質問の答えはわかりません。',
  nearest: '次の記事が参考になるかもしれません：',
  askPerson: '担当者に質問することもできます。',
}
