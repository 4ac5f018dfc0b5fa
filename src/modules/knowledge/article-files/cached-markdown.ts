import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Markdown, PlainText } from '../../../platform/markdown/index.ts'

const CACHE_BYTES_MAX = 64 * 1024 * 1024

/**
 * Caches plain texts. An import renders each text before the transaction that stores it; the services then get the
 * result from the cache, so that no transaction waits for rendering.
 */
export function withPlainTextCache(markdown: Markdown): Markdown {
  const cache = new LRUCache<string, PlainText>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ text }, key) => 2 * (text.length + key.length),
  })
  return {
    ...markdown,
    toPlain: async (orgId, text, signal) => {
      const key = hash('sha256', text)
      const plain = cache.get(key) ?? (await markdown.toPlain(orgId, text, signal))
      cache.set(key, plain)
      return plain
    },
  }
}
