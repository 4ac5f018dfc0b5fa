import { contentTypeOf } from '../../../platform/files/content-type.ts'
import type { FileKind } from './upload-target.ts'

interface FileType {
  kind: FileKind
  extension: string
  mediaType: string
}

const type = (kind: FileKind, mediaType: string, extension: string): FileType => ({ kind, mediaType, extension })

/** What visitors may send, by the type that is found in the content. Phones and browsers record these. */
const TYPES: Readonly<Record<string, FileType>> = {
  'image/jpeg': type('image', 'image/jpeg', 'jpg'),
  'image/png': type('image', 'image/png', 'png'),
  'image/apng': type('image', 'image/png', 'png'),
  'image/webp': type('image', 'image/webp', 'webp'),
  'image/gif': type('image', 'image/gif', 'gif'),
  'image/avif': type('image', 'image/avif', 'avif'),
  'video/mp4': type('video', 'video/mp4', 'mp4'),
  'video/x-m4v': type('video', 'video/mp4', 'mp4'),
  'video/quicktime': type('video', 'video/quicktime', 'mov'),
  'video/3gpp': type('video', 'video/3gpp', '3gp'),
  'video/webm': type('video', 'video/webm', 'webm'),
  'audio/mpeg': type('audio', 'audio/mpeg', 'mp3'),
  'audio/mp4': type('audio', 'audio/mp4', 'm4a'),
  'audio/x-m4a': type('audio', 'audio/mp4', 'm4a'),
  'audio/aac': type('audio', 'audio/aac', 'aac'),
  'audio/wav': type('audio', 'audio/wav', 'wav'),
  'audio/ogg': type('audio', 'audio/ogg', 'ogg'),
  'audio/ogg; codecs=opus': type('audio', 'audio/ogg', 'ogg'),
  'application/ogg': type('audio', 'audio/ogg', 'ogg'),
  'audio/amr': type('audio', 'audio/amr', 'amr'),
  'audio/flac': type('audio', 'audio/flac', 'flac'),
  'application/pdf': type('pdf', 'application/pdf', 'pdf'),
}

/** Undefined if visitors may not send such files. */
export async function findFileType(path: string): Promise<FileType | undefined> {
  return TYPES[(await contentTypeOf(path)) ?? '']
}
