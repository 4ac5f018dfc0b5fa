import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/platform/ids/index.ts'
import { createRenderer } from '../../src/platform/markdown/renderer.ts'
import type { SearchableArticle } from '../../src/testing/data/published-articles.ts'

/** One file per language. An article starts with its key, its category and its title. */
const LANGUAGES = ['en', 'de', 'es']
const HEAD = /^%% (\S+) \| (.+?) \| (.+)$/m

interface QualityCorpus {
  articles: SearchableArticle[]
  /** The articles of each category, by its name. */
  categories: ReadonlyMap<string, string[]>
  /** The key of each article by its ID. */
  keys: ReadonlyMap<string, string>
}

export async function readQualityCorpus(knowledgeBaseId: string): Promise<QualityCorpus> {
  const { toPlain } = createRenderer()
  const keys = new Map<string, string>()
  const articles: SearchableArticle[] = []
  const categories = new Map<string, string[]>()
  for (const language of LANGUAGES) {
    const markdown = await readFile(join(import.meta.dirname, 'corpus', `${language}.md`), 'utf8')
    const [, ...parts] = markdown.split(HEAD)
    for (let at = 0; at < parts.length; at += 4) {
      const [key = '', category = '', title = '', content = ''] = parts.slice(at, at + 4)
      const id = newId()
      keys.set(id, key)
      categories.getOrInsertComputed(category, () => []).push(id)
      const text = { language, title, content: content.trim(), plain: toPlain(content) }
      articles.push({ id, knowledge_base_id: knowledgeBaseId, visibility: 'public', texts: [text] })
    }
  }
  return { articles, categories, keys }
}
