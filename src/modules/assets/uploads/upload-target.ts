import type { OrgId } from '../../../platform/ids/index.ts'

export type FileKind = 'image' | 'video' | 'audio' | 'pdf'

/** What visitors send files to: a page or a chatbot. */
export interface UploadTarget {
  id: string
  orgId: OrgId
}

/** Which files a field takes. */
export interface FileRules {
  accept: readonly FileKind[]
  max_files: number
  /** Applies to each file. */
  max_size_mb: number
}

/** The fields that take files, by name. */
export type FileFields = ReadonlyMap<string, FileRules>
