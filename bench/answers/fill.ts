import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import type { Analyser } from '../../src/modules/knowledge/article-search/index.ts'
import { timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { indexArticles } from '../../src/testing/data/index-articles.ts'
import { insertPublished, type SearchableArticle } from '../../src/testing/data/published-articles.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'

export const PUBLIC_URL = 'https://acme.example'
const BATCH = 100

/** Creates an organisation with one knowledge base. */
export async function createOwner(database: Database, slug: string, knowledgeBaseId: string): Promise<OrgId> {
  const now = timestamp(Date.now())
  return database.write(async (tx) => {
    const { id } = await createOrganisation(tx, { name: 'Acme', slug }, now)
    await insertTestRows(tx, 'knowledge_bases', [
      {
        id: knowledgeBaseId,
        org_id: id,
        name: 'Help',
        slug: 'help',
        public_slug: knowledgeBaseId,
        description: null,
        logo_url: null,
        primary_color: null,
        contact_email: null,
        contact_phone: null,
        is_published: true,
        default_language: 'en',
        everyday_synonyms: true,
        translations: {},
        created_at: now,
        updated_at: now,
      },
    ])
    return id
  })
}

export async function storeArticles(
  database: Database,
  analyser: Analyser,
  orgId: OrgId,
  articles: readonly SearchableArticle[],
): Promise<void> {
  for (let from = 0; from < articles.length; from += BATCH) {
    const batch = articles.slice(from, from + BATCH)
    await database.write((tx) => insertPublished(tx, orgId, batch, timestamp(Date.now())))
    await indexArticles(database, analyser, orgId, batch)
  }
}

/** Nouns that stand for other products, so that the generated articles are about something else. */
const SYLLABLES = ['ba', 'ko', 'li', 'ru', 'ne', 'ta', 'so', 'mi', 'vo', 'du', 'fa', 'gri']

/**
 * Generates articles around the corpus: its sentences, mixed, about products with other names. Their words are as
 * frequent as those of real articles of one maker, who repeats the same words in all of them.
 */
export function generateArticles(
  corpus: readonly SearchableArticle[],
  knowledgeBaseId: string,
  count: number,
): SearchableArticle[] {
  const random = randomNumbers(5)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const name = () => Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(SYLLABLES)).join('')
  const byLanguage = Map.groupBy(
    corpus.flatMap(({ texts }) => texts),
    ({ language }) => language,
  )
  const blocks = new Map(
    Array.from(byLanguage, ([language, texts]) => [
      language,
      texts.flatMap(({ content = '' }) => content.split(/\n{2,}/)),
    ]),
  )
  return Array.from({ length: count }, () => {
    const { texts } = pick(corpus)
    const product = name()
    return {
      id: newId(),
      knowledge_base_id: knowledgeBaseId,
      visibility: 'public' as const,
      texts: texts.map(({ language, title, content = '' }) => {
        const own = content.split(/\n{2,}/)
        const mixed = own.map((block) => (random() < 0.5 ? block : pick(blocks.get(language) ?? own)))
        const text = rename(mixed.join('\n\n'), product)
        return { language, title: rename(title, product), content: text, plain: text.replaceAll(/[#|]/g, ' ') }
      }),
    }
  })
}

const rename = (text: string, product: string): string =>
  text.replaceAll(/Aroma|Velo|Thermo|Forma|Huddle/g, product.charAt(0).toUpperCase() + product.slice(1))

/** Mulberry32: a seeded generator, so that runs are repeatable. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
