import type { AnsweredFile, FieldFileProblem } from './file-problems.ts'
import type { FileStore } from './file-store.ts'
import type { SentForm } from './sent-form.ts'
import type { UploadLimits } from './upload-limits.ts'
import type { FileFields, UploadTarget } from './upload-target.ts'
import type { UploadTokens } from './upload-tokens.ts'

/** The field with the tokens of the files that another field has received already. */
export const fileField = (name: string): string => `_wm_file:${name}`

/** A form and the files that belong to it. */
export interface AnsweredForm {
  /** A field with files has the ids of their assets. */
  answers: ReadonlyMap<string, readonly string[]>
  files: Map<string, AnsweredFile & { token: string }>
  /** They come before the problems of answers. */
  problems: FieldFileProblem[]
  /** Set if the visitor has sent too many files. */
  retryAfterSeconds: number
}

interface Services {
  tokens: UploadTokens
  store: FileStore
  uploads: UploadLimits
}

/** Finds the files that were uploaded before, and stores those that came with the form. */
export async function collectFiles(
  { tokens, store, uploads }: Services,
  target: UploadTarget & { fields: FileFields },
  { values, files: sentFiles, problems: found }: SentForm,
  address: string,
  nowMs: number,
): Promise<AnsweredForm> {
  const answers = new Map(values)
  const files = new Map<string, AnsweredFile & { token: string }>()
  const problems = [...found]
  const add = (field: string, file: AnsweredFile, token: string) => {
    const ids = answers.get(field) ?? []
    if (!ids.includes(file.id)) answers.set(field, [...ids, file.id])
    files.set(file.id, { ...file, token })
  }
  let retryAfterSeconds = 0
  for (const [field, config] of target.fields) {
    answers.delete(field)
    // One more than are allowed, so that the check reports it. Others are not even looked at.
    for (const token of (values.get(fileField(field)) ?? []).slice(0, config.max_files + 1)) {
      const file = await tokens.open(target, field, token, nowMs)
      if (file === undefined) problems.push({ name: field, problem: 'file_missing' })
      else add(field, file, token)
    }
    for (const { file, fileName } of sentFiles.filter((sent) => sent.field === field)) {
      retryAfterSeconds ||= await uploads.admit(target, address, file.sizeBytes, nowMs)
      if (retryAfterSeconds > 0) break
      const stored = await store.store(target, config, file, fileName, nowMs)
      if ('problem' in stored) problems.push({ name: field, ...stored })
      else add(field, stored, tokens.seal(target, field, stored, nowMs))
    }
  }
  return { answers, files, problems, retryAfterSeconds }
}
