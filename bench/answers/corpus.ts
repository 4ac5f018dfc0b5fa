import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LANGUAGES } from '../../src/platform/contract/languages.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { createRenderer } from '../../src/platform/markdown/renderer.ts'
import type { SearchableArticle } from '../../src/testing/data/published-articles.ts'

const HEAD = /^%% (\S+) \| (.+)$/m

export interface Corpus {
  /** Articles are in the order of the English texts. */
  articles: SearchableArticle[]
  /** The key of each article by its ID. */
  keys: ReadonlyMap<string, string>
}

type Text = Required<SearchableArticle['texts'][number]>

/** Reads the texts of `corpus/`: one file per language, in which each article starts with its key and its title. */
export async function readCorpus(knowledgeBaseId: string): Promise<Corpus> {
  const { toPlain } = createRenderer()
  const texts = new Map<string, Text[]>()
  for (const language of LANGUAGES) {
    const file = join(import.meta.dirname, 'corpus', `${language}.md`)
    const markdown = await readFile(file, 'utf8').catch(() => '')
    const [, ...parts] = markdown.split(HEAD)
    for (let at = 0; at < parts.length; at += 3) {
      const [key = '', title = '', content = ''] = parts.slice(at, at + 3)
      const text = { language, title, content: content.trim(), plain: toPlain(content) }
      texts.set(key, [...(texts.get(key) ?? []), text])
    }
  }
  const keys = new Map<string, string>()
  const articles = Array.from(texts, ([key, texts]) => {
    const id = newId()
    keys.set(id, key)
    return { id, knowledge_base_id: knowledgeBaseId, visibility: 'public' as const, texts }
  })
  return { articles, keys }
}
