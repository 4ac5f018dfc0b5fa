import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Markdown } from '../../../platform/markdown/index.ts'

const BYTES_MAX = 64 * 1024 * 1024

/**
 * Tells the words of a text again without rendering it again: it is rendered when it is checked, and must not be while a
 * transaction waits for it.
 */
export function rememberPlain(markdown: Markdown): Markdown {
  const kept = new LRUCache<string, string>({
    maxSize: BYTES_MAX,
    sizeCalculation: (plain, key) => 2 * (plain.length + key.length),
  })
  return {
    toHtml: (text) => markdown.toHtml(text),
    toPlain: async (text) => {
      const key = hash('sha256', text)
      const plain = kept.get(key) ?? (await markdown.toPlain(text))
      kept.set(key, plain)
      return plain
    },
    close: () => markdown.close(),
  }
}
