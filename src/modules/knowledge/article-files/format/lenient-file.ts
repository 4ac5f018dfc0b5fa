import { foldCase } from '../../../../platform/db/index.ts'
import { unstorable } from '../../../../platform/http/pipeline/validation.ts'
import { articleContent, TAGS_MAX } from '../../articles/contract.ts'
import { ArticleFrontMatter, type ParsedText } from './article-file.ts'
import { convert } from './foreign/convert.ts'
import { maskCode } from './foreign/mask.ts'
import { splitFrontMatter } from './front-matter.ts'
import { htmlToMarkdown, readPage } from './html/to-markdown.ts'
import type { ForeignText } from './lenient-sources.ts'
import { readKeys } from './loose-yaml.ts'
import type { ReportProblem } from './problems.ts'
import type { Tool } from './tool.ts'

interface LenientOptions {
  path: string
  /** If the file itself has none. */
  title: string
  category: string | null | undefined
  /** Whether it is the text of an article, which has more settings than a translation. */
  isArticle: boolean
  tool: Tool | undefined
}

interface LenientText extends ParsedText<ArticleFrontMatter> {
  /** Keys of the front matter that have no meaning for us. */
  ignored: string[]
}

/** Hugo writes TOML between these. */
const TOML = /^\uFEFF?\+\+\+[ \t]*\r?\n(?:.*?\n)??\+\+\+[ \t]*(?:\r?\n|$)/s
const ATX_HEADING = /^(?:[ \t]*\r?\n)*# +(.+?)(?:[ \t]+#+)?[ \t]*(?:\{:?[ \t]*#[^}\n]*\})?[ \t]*(?:\r?\n|$)/
const SETEXT_HEADING = /^(?:[ \t]*\r?\n)*([^\s#>|`~:!<-][^\n]*)\r?\n=+[ \t]*(?:\r?\n|$)/
const BLANK_LINES = /^(?:[ \t]*\r?\n)+/
const TITLE_LENGTH_MAX = 300

/** Reads a file of any documentation. What it does not know it ignores; the rest must be storable. */
export function parseLenientFile(
  file: string,
  options: LenientOptions,
  report: ReportProblem,
  warn: ReportProblem,
): LenientText | undefined {
  const isHtml = /\.html?$/i.test(options.path)
  const page = isHtml ? readPage(file) : undefined
  const { yaml, body } = page === undefined ? split(file.replaceAll('\r\n', '\n')) : { yaml: '', body: page.markdown }
  const { keys, isBroken } = readKeys(yaml)
  const known = options.isArticle ? settingsIn(keys) : {}
  const firstLine = countLines(file) - countLines(body) + 1
  const source = { path: options.path, tool: isPlainMarkdown(keys) ? undefined : options.tool }
  const converted = isHtml ? { content: body, numbers: [] } : convert(source, withPaths(body), firstLine, warn)
  const text = converted.content
  const heading = headingOf(text)
  const written = textOf(keys.get('title')) ?? textOf(page?.title)
  const title = toTitle(written ?? heading?.title ?? options.title)
  const isRepeated = heading !== undefined && (written === undefined || foldCase(heading.title) === foldCase(written))
  const content = text.slice(isRepeated ? heading.length : 0).replace(BLANK_LINES, '')
  if (!isStorable(title, content, report)) return undefined
  const used = new Set(['title', 'draft', ...Object.keys(known)])
  return {
    value: { ...known, ...categoryIn(options), title },
    lineOf: () => 1,
    content,
    toFileLine: (line) => converted.numbers[countLines(text) - countLines(content) + line - 1],
    ignored: [...(isBroken ? ['(invalid YAML)'] : []), ...[...keys.keys()].filter((key) => !used.has(key))],
  }
}

/** Reads a text of an export, which says everything about its article. */
export function parseForeignText(
  { html, tags, ...settings }: ForeignText,
  options: LenientOptions,
  report: ReportProblem,
): LenientText | undefined {
  const content = htmlToMarkdown(html)
  const title = toTitle(options.title)
  if (!isStorable(title, content, report)) return undefined
  const keys = new Map<string, unknown>(Object.entries({ ...settings, tags: [...tags] }))
  const known = options.isArticle ? settingsIn(keys) : {}
  const value = { ...known, ...categoryIn(options), title }
  return { value, lineOf: () => 1, content, toFileLine: () => undefined, ignored: [] }
}

const categoryIn = ({ isArticle, category }: LenientOptions) =>
  isArticle && category !== undefined ? { category } : {}

function isStorable(title: string, content: string, report: ReportProblem): boolean {
  const [tooLong] = articleContent.safeParse(content).error?.issues ?? []
  const invalid = unstorable(content) ?? unstorable(title)
  if (tooLong !== undefined) report(`Text: ${tooLong.message}.`)
  if (invalid !== undefined) report(`Text: ${invalid.problem}.`)
  return tooLong === undefined && invalid === undefined
}

/** Docusaurus reads `.md` like `.mdx`, unless the file says otherwise. */
function isPlainMarkdown(keys: ReadonlyMap<string, unknown>): boolean {
  const mdx = keys.get('mdx')
  return typeof mdx === 'object' && mdx !== null && 'format' in mdx && mdx.format === 'md'
}

const countLines = (text: string): number => text.split('\n').length

function split(text: string): { yaml: string; body: string } {
  const parts = splitFrontMatter(text)
  if (parts !== undefined) return { yaml: parts.yaml, body: parts.content }
  return { yaml: '', body: text.replace(TOML, '').replace(/^\uFEFF/, '') }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

const toTitle = (text: string): string => [...text.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, TITLE_LENGTH_MAX).join('')

/** Those settings whose values we understand. */
function settingsIn(keys: ReadonlyMap<string, unknown>): Partial<ArticleFrontMatter> {
  const { status, visibility, language } = ArticleFrontMatter.shape
  const settings: Partial<ArticleFrontMatter> = {}
  for (const [name, schema] of Object.entries({ status, visibility, language })) {
    const { success, data } = schema.safeParse(keys.get(name))
    if (success && data !== undefined) Object.assign(settings, { [name]: data })
  }
  if (keys.get('draft') === 'true') settings.status = 'draft'
  const written = keys.get('tags')
  const names = Array.isArray(written) ? written : typeof written === 'string' ? written.split(/[\s,]+/) : []
  const unique = new Map<string, string>()
  for (const name of names) {
    const tag = textOf(name)
    if (tag !== undefined && !unique.has(foldCase(tag))) unique.set(foldCase(tag), tag)
  }
  const tags = ArticleFrontMatter.shape.tags.safeParse([...unique.values()].slice(0, TAGS_MAX))
  if (unique.size > 0 && tags.success && tags.data !== undefined) settings.tags = tags.data
  return settings
}

/** The first line, if it is a heading of the highest level. */
function headingOf(body: string): { title: string; length: number } | undefined {
  const found = ATX_HEADING.exec(body) ?? SETEXT_HEADING.exec(body)
  const title = found?.[1]?.replace(/[*_`]|!?\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
  return found === null || title === undefined || title === '' ? undefined : { title, length: found[0].length }
}

/** `{{< ref "other.md" >}}` of Hugo and `{% link other.md %}` of Jekyll are the paths of files. */
const PATH_MACROS = /\{\{[<%]\s*(?:rel)?ref\s+"([^"]+)"\s*[%>]\}\}|\{%-?\s*(?:link|post_url)\s+([^\s%]+)\s*-?%\}/g

/** Resolves the paths in macros, outside of code. */
const withPaths = (content: string): string => {
  const masked = maskCode(content)
  return content.replace(PATH_MACROS, (macro, hugo: string | undefined, jekyll: string | undefined, at: number) =>
    masked[at] === ' ' ? macro : (hugo ?? jekyll ?? ''),
  )
}
