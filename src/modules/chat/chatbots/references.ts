import type { Db } from '../../../platform/db/index.ts'
import { unprocessable, unprocessableEntry } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectOwnIds } from './queries.ts'

/** The table that each list of ids refers to, and what people call its rows. */
const LISTS = {
  page_ids: { table: 'pages', noun: 'page' },
  article_ids: { table: 'articles', noun: 'article' },
  category_ids: { table: 'article_categories', noun: 'article category' },
  knowledge_base_ids: { table: 'knowledge_bases', noun: 'knowledge base' },
} as const

type Lists = { [Name in keyof typeof LISTS]?: readonly string[] | undefined }

const NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[]

/**
 * Throws 422 for an id that names nothing in the organisation. An id that is in the list already is not checked again: its
 * resource may have been deleted since, and a client must be able to send back what it has read.
 */
export async function requireOwnIds(db: Db, orgId: OrgId, sent: Lists, current: Lists = {}): Promise<void> {
  for (const name of NAMES) {
    const known = new Set(current[name])
    const added = (sent[name] ?? []).filter((id) => !known.has(id))
    if (added.length === 0) continue
    const { table, noun } = LISTS[name]
    const own = new Set(await selectOwnIds(db, orgId, table, added))
    const foreign = added.find((id) => !own.has(id))
    if (foreign !== undefined)
      throw unprocessableEntry(name, sent[name] ?? [], foreign, `there is no ${noun} with this id in your organisation`)
  }
}

/** Throws 422 for a model that the installation does not have. A chatbot may keep one that the operator has removed. */
export function requireModel(
  models: readonly string[],
  model: string | null | undefined,
  current: string | null,
): void {
  if (model == null || model === current || models.includes(model)) return
  throw unprocessable('model', model, `there is no such model. Use one of ${models.join(', ')}`)
}
