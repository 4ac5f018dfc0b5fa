import type { FileFields, UploadTarget } from '../../../assets/uploads/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'

/** The fields of a page that take files, by name. */
export const mediaFields = ({ blocks }: PublicPage): FileFields =>
  new Map(blocks.flatMap(({ type, config }) => (type === 'form_media' ? [[config.name, config]] : [])))

export const uploadFieldsOf = (page: PublicPage): UploadTarget & { fields: FileFields } => ({
  id: page.id,
  orgId: page.orgId,
  fields: mediaFields(page),
})
