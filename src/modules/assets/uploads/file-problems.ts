/** A file that a visitor has uploaded. `id` is that of its asset. */
export interface AnsweredFile {
  id: string
  file_name: string
  media_type: string
  size_bytes: number
}

export type FileProblemCode = 'file_type' | 'file_too_large' | 'too_many_files' | 'file_missing' | 'no_space'

/** Why a file was not kept. */
export interface FileProblem {
  problem: FileProblemCode
  limit?: number
}

/** The problem of a file, and the field that it was sent in. */
export interface FieldFileProblem extends FileProblem {
  name: string
}
