import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import { foldCase } from '../../../platform/db/index.ts'
import { unstorable } from '../../../platform/http/validation.ts'
import { ArticleTag } from '../article-tags/contract.ts'
import { type Article, ArticleCreate, articleContent, articleTitle, TAGS_MAX } from '../articles/contract.ts'
import type { Complain } from './complaints.ts'
import { joinFrontMatter, splitFrontMatter } from './front-matter.ts'
import { type Parsed, parseYaml, toYaml } from './yaml.ts'

const { status, visibility, language } = ArticleCreate.shape

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** A list without anything in it may be left empty. */
const list = <Item extends z.ZodType<string>>(item: Item) =>
  z
    .array(item)
    .nullable()
    .transform((items) => items ?? [])

/** What is left out is not said: it stays as it is, and a new article has the default. */
export const ArticleHead = z.strictObject({
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
export type ArticleHead = z.output<typeof ArticleHead>

export const TranslationHead = z.strictObject({ title: articleTitle })

/** Everything that is said of an article besides its text. */
export interface ArticleFacts {
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

export const toArticleFile = ({ title, content }: Text, facts: ArticleFacts): string => {
  const { status, visibility, language, category, tags, related } = facts
  return joinFrontMatter({ yaml: toYaml({ title, status, visibility, language, category, tags, related }), content })
}

export const toTranslationFile = ({ title, content }: Text): string =>
  joinFrontMatter({ yaml: toYaml({ title }), content })

/** A file in its parts; undefined when there was something to complain of. */
export function parseTextFile<Head extends z.ZodType>(
  text: string,
  schema: Head,
  complain: Complain,
): (Parsed<z.output<Head>> & { content: string }) | undefined {
  const parts = splitFrontMatter(text)
  if (parts === undefined) {
    complain('It must begin with front matter: a line ---, then title: …, then a line ---.', 1)
    return undefined
  }
  const { content } = parts
  const [tooLong] = articleContent.safeParse(content).error?.issues ?? []
  if (tooLong !== undefined) complain(`The text: ${tooLong.message}.`)
  const refused = unstorable(content)
  if (refused !== undefined) complain(`The text: ${refused.complaint}.`)
  const head = parseYaml(parts.yaml, schema, 2, complain)
  return head === undefined || tooLong !== undefined || refused !== undefined ? undefined : { ...head, content }
}
