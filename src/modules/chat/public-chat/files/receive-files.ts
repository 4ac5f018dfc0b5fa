import { fill } from '../../../../platform/text/fill.ts'
import type { FileFields, FileProblemCode, FileRules, UploadTarget } from '../../../assets/uploads/index.ts'
import type { PublicChatbot } from '../chatbots/index.ts'
import type { Texts } from '../texts.ts'

/** What visitors can send with a message. */
export const FILES: FileRules = { accept: ['image', 'video', 'audio', 'pdf'], max_files: 5, max_size_mb: 10 }
export const FILES_FIELD = 'files'

export const uploadFieldsOf = ({ id, orgId }: PublicChatbot): UploadTarget & { fields: FileFields } => ({
  id,
  orgId,
  fields: new Map([[FILES_FIELD, FILES]]),
})

export function fileProblem(problem: FileProblemCode, { problems }: Texts): string {
  if (problem === 'file_type') return problems.fileType
  if (problem === 'file_too_large') return fill(problems.fileTooLarge, { limit: FILES.max_size_mb })
  if (problem === 'too_many_files') return fill(problems.tooManyFiles, { limit: FILES.max_files })
  return problems.fileMissing
}
