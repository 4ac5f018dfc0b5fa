import type { StagedFile } from '../../../platform/files/asset-store.ts'
import { contentTypeOf } from '../../../platform/files/content-type.ts'
import type { MediaType } from './contract.ts'

export interface FileType {
  mediaType: MediaType
  extension: string
}

/** The keys are the types that are found in the content. An animated PNG is a PNG. */
const TYPES: Readonly<Record<string, FileType>> = {
  'image/jpeg': { mediaType: 'image/jpeg', extension: 'jpg' },
  'image/png': { mediaType: 'image/png', extension: 'png' },
  'image/apng': { mediaType: 'image/png', extension: 'png' },
  'image/webp': { mediaType: 'image/webp', extension: 'webp' },
  'image/gif': { mediaType: 'image/gif', extension: 'gif' },
  'image/avif': { mediaType: 'image/avif', extension: 'avif' },
  'image/x-icon': { mediaType: 'image/x-icon', extension: 'ico' },
  'application/pdf': { mediaType: 'application/pdf', extension: 'pdf' },
  'video/mp4': { mediaType: 'video/mp4', extension: 'mp4' },
  'video/webm': { mediaType: 'video/webm', extension: 'webm' },
  'audio/mpeg': { mediaType: 'audio/mpeg', extension: 'mp3' },
}

/** Undefined if such a file cannot be uploaded. */
export async function findFileType({ path }: Pick<StagedFile, 'path'>): Promise<FileType | undefined> {
  return TYPES[(await contentTypeOf(path)) ?? '']
}
