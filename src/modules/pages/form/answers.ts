import type { FileProblemCode } from '../../assets/uploads/index.ts'
import type { BlockType } from '../blocks/index.ts'

/** Every value as the browser sends it, by the name of its field. A form_media field has the ids of its uploaded files. */
export type Answers = ReadonlyMap<string, readonly string[]>

export type ProblemCode =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'pattern'
  | 'email'
  | 'phone'
  | 'number'
  | 'too_small'
  | 'too_large'
  | 'step'
  | 'option'
  | 'too_few'
  | 'too_many'
  | 'date'
  | 'too_early'
  | 'too_late'
  | FileProblemCode

/** What is wrong with the answer to a field. */
export interface FieldProblem {
  name: string
  problem: ProblemCode
  limit?: string | number
}

export interface SubmittedFile {
  file_id: string
  file_name: string
  media_type: string
  size_bytes: number
}

/** Null if the visitor left the field empty. */
export type AnswerValue = string | number | boolean | string[] | SubmittedFile[] | null

export interface SubmittedAnswer {
  type: BlockType
  /** Missing in what earlier releases have stored. */
  name?: string
  label: string
  value: AnswerValue
  /** What the visitor read at a choice. Missing for other fields. */
  value_label?: string | string[]
  order: number
}

/** What a visitor sent, by the id of the block. */
export type SubmissionData = Record<string, SubmittedAnswer>
