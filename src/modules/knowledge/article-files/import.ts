import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import type { AssetSettings } from '../../assets/assets/index.ts'
import { applyPlan } from './apply.ts'
import { withPlainTextCache } from './cached-markdown.ts'
import type { ArticleFrontMatter } from './format/article-file.ts'
import type { ImportWarning } from './format/problems.ts'
import { Pictures } from './pictures.ts'
import type { Counts } from './plan/counts.ts'
import { planImport } from './plan/plan.ts'
import { requireBase } from './stored-articles.ts'

/** Called for each file, with the number of files so far. */
type OnFile = (path: string, count: number) => void

export interface ImportOptions {
  dir: string
  /** The slug of the knowledge base. */
  base: string
  markdown: Markdown
  /** What the public addresses of the organisation begin with. */
  publicUrl: string
  assets: AssetSettings
  /** Accepts the files of any documentation. */
  isLenient?: boolean
  /** Where the documentation was until now. */
  oldUrl?: string
  /** New articles whose files have no status get this one. */
  status?: ArticleFrontMatter['status']
  onChecked?: OnFile
  /** Called only for articles that change. */
  onImported?: OnFile
}

/** The counts of articles, and of what belongs to them. */
export interface ImportSummary extends Counts {
  /** Counts only translations of articles in the folder. */
  translations: Counts
  categories: Counts
  tags: { created: number }
  /** Images and other files that texts refer to. */
  files: { created: number; unchanged: number }
  /** Counts keys of the front matter, in a lenient import. */
  ignored_keys: number
  warnings: ImportWarning[]
}

/**
 * Creates and updates the articles of a knowledge base from the files of a folder. Checks everything before it changes
 * anything. If it is interrupted, the next import does the rest.
 */
export async function importArticles(contextNow: () => Context, options: ImportOptions): Promise<ImportSummary> {
  const { read: db, orgId } = contextNow()
  const { dir, onChecked = () => {}, onImported = () => {} } = options
  const settings = { markdown: withPlainTextCache(options.markdown), publicUrl: options.publicUrl }
  const base = await requireBase(db, orgId, options.base)
  const pictures = new Pictures(dir, options.assets)
  const { isLenient = false, status = isLenient ? 'published' : undefined } = options
  const oldSite = options.oldUrl === undefined ? undefined : parseOldUrl(options.oldUrl)
  const input = { db, orgId, base, dir, settings, pictures, isLenient, oldSite, status, onChecked }
  const plan = await planImport(input)
    .then(async (planned) => {
      await applyPlan({ contextNow, base, settings, onImported }, planned)
      return planned
    })
    .finally(() => pictures.close())
  const { categories, tags, counts, ignoredKeys, warnings } = plan
  return {
    ...counts.articles,
    translations: counts.translations,
    categories: categories.counts,
    tags: { created: tags.length },
    files: pictures.counts,
    ignored_keys: ignoredKeys,
    warnings,
  }
}

function parseOldUrl(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new OperatorError('The address of the old site must begin with https:// or http://.')
}
