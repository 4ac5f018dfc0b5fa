import type { AnsweredFile } from '../../assets/uploads/index.ts'
import type { Answers, FieldProblem } from '../form/index.ts'

/** What a visitor sent in a form that is shown again. */
export interface FormState {
  answers: Answers
  problems: readonly FieldProblem[]
  /** The files that we have received already, by the id of their asset. The token lets the next post refer to one. */
  files: ReadonlyMap<string, AnsweredFile & { token: string }>
  message: 'invalid' | 'too_many' | 'failed' | null
}

/** Our own fields in a form. No block may have a name that begins with `_wm_`. */
export const ABOUT_FIELD = '_wm_about'
export const KEY_FIELD = '_wm_key'
/** People do not see it. Browsers and password managers do not fill it in: its name means nothing, and it is read-only. */
export const TRAP_FIELD = '_wm_t'
/** Sent by the script if somebody touched the form. */
export const TOUCHED_FIELD = '_wm_touched'
/** Names the receipt in the address of the page after a form. */
export const RECEIPT_FIELD = '_wm_receipt'
