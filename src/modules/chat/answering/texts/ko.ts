import type { AnswerTexts } from './texts.ts'

export const ko: AnswerTexts = {
  from: '{title}에서:',
  alsoFrom: '{title}도 참고하세요:',
  dontKnow: '죄송하지만 그 질문의 답을 알지 못합니다.',
  nearest: '다음 글이 도움이 될 수 있습니다:',
  askPerson: '담당자에게 문의하실 수도 있습니다.',
}
