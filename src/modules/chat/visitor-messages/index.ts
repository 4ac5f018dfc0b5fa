export { Inbox, TEXT_LENGTH_MAX } from './inbox.ts'
export { scannedIn, textOf } from './question.ts'
export { type AnswerListener, type AnswerOutcome, RunningAnswers } from './running-answers.ts'
