import { ApiError } from '../../../platform/errors/index.ts'
import type { PageTemplateWithBlocks } from './contract.ts'
import { listTemplates } from './templates.ts'

export function getTemplateById(id: string): PageTemplateWithBlocks {
  const found = [...listTemplates().values()].find((template) => template.id === id)
  if (found === undefined) throw new ApiError('not_found', 'There is no page template with this id.')
  return found
}
