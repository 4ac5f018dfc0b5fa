import type { AnswerTexts } from './texts.ts'

export const ar: AnswerTexts = {
  from: 'من {title}:',
  alsoFrom: 'راجع أيضًا {title}:',
  dontKnow: 'لا أعرف الإجابة عن هذا السؤال.',
  nearest: 'قد تفيدك هذه المقالات:',
  askPerson: 'يمكنك أيضًا سؤال أحد أفراد الفريق.',
}
