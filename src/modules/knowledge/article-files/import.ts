import type { Context } from '../../../platform/http/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { applyPlan } from './apply.ts'
import type { Counts } from './counts.ts'
import { planImport } from './plan.ts'
import { rememberPlain } from './remember-plain.ts'
import { requireBase } from './stored.ts'

/** Told of a file, and how many have been told of. */
type OnFile = (path: string, count: number) => void

export interface ImportOptions {
  dir: string
  /** The slug of the knowledge base. */
  base: string
  markdown: Markdown
  onChecked?: OnFile
  /** Only files of articles that change. */
  onImported?: OnFile
}

/** Of articles, and of what belongs to them. */
export interface ImportSummary extends Counts {
  /** Those left alone are of articles that are in the folder. */
  translations: Counts
  categories: Counts
  tags: { created: number }
}

/**
 * Makes the articles of a knowledge base what the files of a folder say. Everything is checked before anything is
 * changed. Stopped on its way, it does the rest when it is started again.
 */
export async function importArticles(contextNow: () => Context, options: ImportOptions): Promise<ImportSummary> {
  const { read: db, orgId } = contextNow()
  const { dir, onChecked = () => {}, onImported = () => {} } = options
  const settings = { markdown: rememberPlain(options.markdown) }
  const base = await requireBase(db, orgId, options.base)
  const plan = await planImport({ db, orgId, base, dir, settings, onChecked })
  await applyPlan({ contextNow, base, dir, settings, onImported }, plan)
  const { categories, tags, counts } = plan
  return {
    ...counts.articles,
    translations: counts.translations,
    categories: categories.counts,
    tags: { created: tags.length },
  }
}
