import type { Tx } from '../../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { addAssetReferences } from '../../../assets/assets/index.ts'
import { FilesGone, TooManyFiles, type VisitorFile } from '../stored.ts'
import { countFiles, insertFiles } from './message-queries.ts'
import type { StoredPart } from './stored-message.ts'

/** Erasing a conversation then takes one transaction for its files. */
const FILES_MAX = 100

/** Keeps uploaded files as long as the conversation. Throws `TooManyFiles` or `FilesGone`. */
export async function keepFiles(tx: Tx, orgId: OrgId, id: string, files: readonly VisitorFile[]): Promise<void> {
  if ((await countFiles(tx, orgId, id)) + files.length > FILES_MAX) throw new TooManyFiles()
  const fileIds = files.map((file) => file.id)
  const existing = await addAssetReferences(tx, orgId, { kind: 'conversation', id }, fileIds)
  const gone = fileIds.filter((fileId) => !existing.has(fileId))
  if (gone.length > 0) throw new FilesGone(gone)
  await insertFiles(
    tx,
    orgId,
    files.map(({ id: file_id, ...file }) => ({ conversation_id: id, file_id, ...file })),
  )
}

export const toFilePart = ({ id, file_name, media_type }: VisitorFile): StoredPart => ({
  id: newId(),
  type: 'file',
  file_id: id,
  url: null,
  media_type,
  file_name,
})
