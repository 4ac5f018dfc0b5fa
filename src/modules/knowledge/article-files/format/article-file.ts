import { z } from 'zod'
import { field } from '../../../../platform/contract/index.ts'
import { foldCase } from '../../../../platform/db/index.ts'
import { unstorable } from '../../../../platform/http/pipeline/validation.ts'
import { ArticleTag } from '../../article-tags/contract.ts'
import { type Article, ArticleCreate, articleContent, articleTitle, TAGS_MAX } from '../../articles/contract.ts'
import { joinFrontMatter, splitFrontMatter } from './front-matter.ts'
import type { ReportProblem } from './problems.ts'
import { type Parsed, parseYaml, toYaml } from './yaml.ts'

const { status, visibility, language } = ArticleCreate.shape

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** An empty value is an empty list. */
const list = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .array(item)
    .nullable()
    .transform((items) => items ?? [])

/** A missing key leaves the stored value unchanged. A new article gets the default. */
export const ArticleFrontMatter = z.strictObject({
  title: articleTitle,
  status,
  visibility,
  language,
  category: field.slug.nullable().optional(),
  tags: list(ArticleTag.shape.name)
    .refine((names) => names.length <= TAGS_MAX, { error: `Must have at most ${TAGS_MAX} tags` })
    .refine((names) => isUnique(names.map(foldCase)), { error: 'Must not have the same tag twice' })
    .optional(),
  related: list(field.slug).refine(isUnique, { error: 'Must not have the same article twice' }).optional(),
})
export type ArticleFrontMatter = z.output<typeof ArticleFrontMatter>

export const TranslationFrontMatter = z.strictObject({ title: articleTitle })

/** All fields of the front matter except the title. */
export interface ArticleMetadata {
  status: Article['status']
  visibility: Article['visibility']
  language: string
  category: string | null
  tags: readonly string[]
  related: readonly string[]
}

interface Text {
  title: string
  content: string
}

export const toArticleFile = ({ title, content }: Text, metadata: ArticleMetadata): string => {
  const { status, visibility, language, category, tags, related } = metadata
  return joinFrontMatter({ yaml: toYaml({ title, status, visibility, language, category, tags, related }), content })
}

export const toTranslationFile = ({ title, content }: Text): string =>
  joinFrontMatter({ yaml: toYaml({ title }), content })

/** A file that was read. */
export interface ParsedText<Value> extends Parsed<Value> {
  content: string
  /** The line of the file from which a line of the content comes. */
  toFileLine(contentLine: number): number | undefined
}

/** Parses and validates a file. Reports problems and then returns undefined. */
export function parseTextFile<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  report: ReportProblem,
): ParsedText<z.output<Schema>> | undefined {
  const parts = splitFrontMatter(text)
  if (parts === undefined) {
    report('The file must begin with front matter: a line ---, then title: …, then a line ---.', 1)
    return undefined
  }
  const { content } = parts
  const [tooLong] = articleContent.safeParse(content).error?.issues ?? []
  if (tooLong !== undefined) report(`Text: ${tooLong.message}.`)
  const invalid = unstorable(content)
  if (invalid !== undefined) report(`Text: ${invalid.problem}.`)
  const frontMatter = parseYaml(parts.yaml, schema, 2, report)
  if (frontMatter === undefined || tooLong !== undefined || invalid !== undefined) return undefined
  const contentLine = text.slice(0, text.length - content.length).split('\n').length
  return { ...frontMatter, content, toFileLine: (line) => contentLine + line - 1 }
}
