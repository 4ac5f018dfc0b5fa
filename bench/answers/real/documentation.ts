import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
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
  const isFolder = (await stat(set.source)).isDirectory()
  for (const file of isFolder ? await filesOf(set.source) : [set.source]) {
    const name = relative(set.source, file).replace(/\.md$/, '')
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

async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => join(folder, file))
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
