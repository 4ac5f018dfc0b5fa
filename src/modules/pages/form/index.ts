export type {
  Answers,
  AnswerValue,
  FieldProblem,
  SubmissionData,
  SubmittedAnswer,
  SubmittedFile,
} from './answers.ts'
export { checkAnswers } from './check-answers.ts'
export { type PossibleProblem, possibleProblems } from './possible-problems.ts'
