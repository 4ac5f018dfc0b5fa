import type { AnswerTexts } from './texts.ts'

export const zh: AnswerTexts = {
  from: '摘自“{title}”：',
  alsoFrom: '另请参阅“{title}”：',
  dontKnow: '抱歉，我不知道这个问题的答案。',
  nearest: '这些文章可能有帮助：',
  askPerson: '您也可以向人工客服提问。',
}
