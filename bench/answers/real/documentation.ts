import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toBlocks } from '../../../src/modules/knowledge/passages/index.ts'
import { newId } from '../../../src/platform/ids/index.ts'
import { createRenderer } from '../../../src/platform/markdown/renderer.ts'
import type { SearchableArticle } from '../../../src/testing/data/published-articles.ts'
import type { DocumentationSet } from './sets/index.ts'

export interface Documentation {
  articles: SearchableArticle[]
  /** The key of each article by its ID. */
  keys: ReadonlyMap<string, string>
  /** The Markdown of each article by its key. */
  contents: ReadonlyMap<string, string>
}

interface Section {
  level: number
  title: string
  content: string
}

/** Reads a set as its authors wrote it: every file is an article, or every section below headings of certain levels. */
export async function readDocumentation(set: DocumentationSet, knowledgeBaseId: string): Promise<Documentation> {
  const { toPlain } = createRenderer()
  const keys = new Map<string, string>()
  const contents = new Map<string, string>()
  const articles: SearchableArticle[] = []
  const isFolder = typeof set.source === 'string' && (await stat(set.source)).isDirectory()
  for (const { name, file } of await filesOf(set.source)) {
    const markdown = await readFile(file, 'utf8')
    const sections = set.splitLevels.length > 0 ? split(markdown, set.splitLevels) : [whole(markdown, name)]
    let parent = ''
    for (const { level, title, content } of sections) {
      if (level === set.splitLevels[0]) parent = title
      if (content.trim() === '') continue
      const isRepeated = sections.filter((other) => other.title === title).length > 1
      const section = isRepeated ? `${parent}/${title}` : title
      const key = set.splitLevels.length === 0 ? name : isFolder ? `${name}/${section}` : section
      const id = newId()
      keys.set(id, key)
      contents.set(key, content)
      const texts = [{ language: set.language, title, content, plain: toPlain(content) }]
      articles.push({ id, knowledge_base_id: knowledgeBaseId, visibility: 'public', texts })
    }
  }
  return { articles, keys, contents }
}

/** Files of a folder are named by their path, the READMEs of packages by the package. */
async function filesOf(source: DocumentationSet['source']): Promise<{ name: string; file: string }[]> {
  if (typeof source !== 'string') return source.map((file) => ({ name: basename(dirname(file)), file }))
  if (!(await stat(source)).isDirectory()) return [{ name: '', file: source }]
  const files = await readdir(source, { recursive: true })
  return files
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ name: file.replace(/\.md$/, ''), file: join(source, file) }))
}

/** The title of a file is its only heading of the first level, otherwise its name. */
function whole(markdown: string, name: string): Section {
  const titles = toBlocks(markdown).filter((block) => block.kind === 'heading' && block.level === 1)
  const [title] = titles.length === 1 ? titles : []
  const named = basename(name).replaceAll('-', ' ')
  return { level: 1, title: title?.kind === 'heading' ? toTitle(title.text) : named, content: markdown }
}

function split(markdown: string, levels: readonly number[]): Section[] {
  const sections: Section[] = []
  for (const block of toBlocks(markdown)) {
    const isHeading = block.kind === 'heading'
    if (isHeading && (block.level === 1 || levels.includes(block.level))) {
      sections.push({ level: block.level, title: toTitle(block.text), content: '' })
      continue
    }
    const last = sections.at(-1)
    if (last === undefined) continue
    const text = isHeading ? `${'#'.repeat(block.level)} ${block.text}` : block.lines.join('\n')
    last.content += `${text}\n\n`
  }
  return sections
}

/** Removes the marks of code. */
const toTitle = (heading: string): string => heading.replaceAll(/[`\\]/g, '').trim()
