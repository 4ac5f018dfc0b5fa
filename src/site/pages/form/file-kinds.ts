import type { BlockOf } from '../../../modules/pages/blocks/index.ts'

type FileKind = BlockOf<'form_media'>['config']['accept'][number]

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

/** Recognises a file by its content. Its name and what the browser says may be wrong. */
export async function findFileType(path: string): Promise<FileType | undefined> {
  // Loaded on demand: most processes never need it.
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path).catch(() => undefined)
  return found && TYPES[found.mime]
}
