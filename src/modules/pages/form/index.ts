export type {
  Answers,
  AnswerValue,
  FieldProblem,
  ProblemCode,
  SubmissionData,
  SubmittedAnswer,
  SubmittedFile,
} from './answers.ts'
export { checkAnswers } from './check-answers.ts'
