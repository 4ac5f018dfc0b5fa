import type { Db } from '../../../../platform/db/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { parseArticleLink } from '../../public-articles/index.ts'
import { ArticleFrontMatter, type ParsedText, parseTextFile, TranslationFrontMatter } from '../format/article-file.ts'
import { readText } from '../format/folder.ts'
import { parseForeignText, parseLenientFile } from '../format/lenient-file.ts'
import type { Placement } from '../format/lenient-folder.ts'
import type { Problems, ReportProblem } from '../format/problems.ts'
import type { Picture, Pictures } from '../pictures.ts'
import { findDestinations, type MarkdownDestination, replaceDestinations } from './destinations.ts'
import type { FolderLinks } from './file-links.ts'

interface ReaderInput {
  dir: string
  links: FolderLinks
  pictures: Pictures
  /** Where the files of a lenient import belong. */
  placements: ReadonlyMap<string, Placement> | undefined
}

/** A link to an article, which need not be in the folder. */
interface FoundLink {
  slug: string
  written: string
  line: number | undefined
}

export interface CheckedText<Value> extends ParsedText<Value> {
  links: FoundLink[]
  /** Whether it refers to files that are not stored yet. */
  hasNewPictures: boolean
  ignored: string[]
}

type Kind = 'article' | 'translation'
type Value<K extends Kind> = K extends 'article' ? ArticleFrontMatter : { title: string }

/** Reads the files of articles, with the addresses of other files of the folder replaced by those that work here. */
export class TextReader {
  readonly #input: ReaderInput

  constructor(input: ReaderInput) {
    this.#input = input
  }

  /** Reads a file when the import is planned. Pictures that are not stored yet keep their paths. */
  async check<K extends Kind>(
    { db, orgId }: { db: Db; orgId: OrgId },
    path: string,
    kind: K,
    report: ReportProblem,
    warnings: Problems,
  ): Promise<CheckedText<Value<K>> | undefined> {
    const warn = warnings.reporterFor(path)
    const parsed = await this.#parse(path, kind, report, warn)
    if (parsed === undefined) return undefined
    const lineOf = ({ line }: MarkdownDestination) => parsed.toFileLine(line)
    const links: FoundLink[] = []
    let hasNewPictures = false
    const content = await this.#complete(path, parsed.content, {
      onLink: (slug, destination) => links.push({ slug, written: destination.value, line: lineOf(destination) }),
      onOld: (destination) => warn(`It stays a link to the old site: ${destination.value}`, lineOf(destination)),
      toUrl: async (paths, destination) => {
        const picture = await this.#input.pictures.find(db, orgId, paths)
        if (picture === undefined) warn(missing(destination.value), lineOf(destination))
        else if (picture.problem !== undefined)
          warn(`${picture.path} ${picture.problem}. It was not imported.`, lineOf(destination))
        else if (picture.url === undefined) hasNewPictures = true
        return picture?.url
      },
    })
    return { ...parsed, content, links, hasNewPictures }
  }

  /** Reads a file when it is imported, and stores its pictures. */
  async read(ctx: Context, path: string, kind: Kind, report: ReportProblem): Promise<string | undefined> {
    const parsed = await this.#parse(path, kind, report, () => {})
    if (parsed === undefined) return undefined
    const { pictures } = this.#input
    const toUrl = async (paths: readonly string[]) => {
      const picture: Picture | undefined = await pictures.find(ctx.read, ctx.orgId, paths)
      return picture === undefined || picture.problem !== undefined ? undefined : pictures.store(ctx, picture)
    }
    return this.#complete(path, parsed.content, { onLink: () => {}, onOld: () => {}, toUrl })
  }

  async #parse<K extends Kind>(
    path: string,
    kind: K,
    report: ReportProblem,
    warn: ReportProblem,
  ): Promise<(ParsedText<Value<K>> & { ignored: string[] }) | undefined> {
    const { dir, placements } = this.#input
    const placement = placements?.get(path)
    const isArticle = kind === 'article'
    type Lenient = ParsedText<Value<K>> & { ignored: string[] }
    if (placement?.text !== undefined) {
      return parseForeignText(placement.text, { path, isArticle, ...placement }, report) as Lenient | undefined
    }
    const text = await readText(dir, path, report)
    if (text === undefined) return undefined
    if (placement !== undefined)
      return parseLenientFile(text, { path, isArticle, ...placement }, report, warn) as Lenient
    const parsed = parseTextFile(text, isArticle ? ArticleFrontMatter : TranslationFrontMatter, report)
    return parsed && { ...(parsed as ParsedText<Value<K>>), ignored: [] }
  }

  async #complete(
    path: string,
    content: string,
    found: {
      onLink: (slug: string, destination: MarkdownDestination) => void
      onOld: (destination: MarkdownDestination) => void
      toUrl: (paths: readonly string[], destination: MarkdownDestination) => Promise<string | undefined>
    },
  ): Promise<string> {
    const { links, placements } = this.#input
    const replacements = new Map<number, string>()
    for (const destination of findDestinations(content)) {
      const reference = links.resolve(path, destination.value)
      if (reference.kind === 'other') continue
      if (reference.kind === 'old') {
        found.onOld(destination)
        continue
      }
      if (reference.kind === 'file') {
        const url = await found.toUrl(reference.paths, destination)
        if (url !== undefined) replacements.set(destination.start, url)
        continue
      }
      const { slug, fragment } = reference
      found.onLink(slug, destination)
      // A link that leads to the right article is left as it was written.
      const isRight = parseArticleLink(destination.value)?.slug === slug
      if (placements !== undefined && !isRight) replacements.set(destination.start, `${slug}${fragment}`)
    }
    return replaceDestinations(content, ({ start }) => replacements.get(start))
  }
}

const missing = (address: string): string =>
  /^(?:https?:)?\/\//.test(address) ? `It stays at the old site: ${address}` : `There is no file ${address}.`
