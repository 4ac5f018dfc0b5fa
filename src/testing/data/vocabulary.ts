import { expect } from 'vitest'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'

/**
 * Checks that the vocabulary of an organisation is complete and exact: each word has the number of texts whose lists
 * contain it, and nothing is left to do. Returns the counts by language and word.
 */
export async function expectExactVocabulary({ kysely }: Database, orgId: OrgId): Promise<Map<string, number>> {
  const lists = await kysely
    .selectFrom('article_search_word_lists')
    .select(['language', 'words', 'is_wanted', 'is_counted'])
    .where('org_id', '=', orgId)
    .execute()
  expect(lists.filter(({ is_wanted, is_counted }) => !is_wanted || !is_counted)).toEqual([])
  const words = await kysely
    .selectFrom('article_search_words')
    .select(['language', 'word', 'texts', 'is_settled'])
    .where('org_id', '=', orgId)
    .execute()
  expect(words.filter(({ is_settled }) => !is_settled)).toEqual([])
  const expected = new Map<string, number>()
  for (const list of lists) {
    for (const word of JSON.parse(list.words)) {
      const key = `${list.language} ${word}`
      expected.set(key, (expected.get(key) ?? 0) + 1)
    }
  }
  const counts = new Map(words.map(({ language, word, texts }) => [`${language} ${word}`, texts]))
  expect(new Map([...counts].sort())).toEqual(new Map([...expected].sort()))
  return counts
}

/** Whether nothing is left to do for the vocabulary. */
export async function isVocabularySettled({ kysely }: Database, orgId: OrgId): Promise<boolean> {
  const lists = await kysely
    .selectFrom('article_search_word_lists')
    .select('id')
    .where('org_id', '=', orgId)
    .where((row) => row.or([row('is_wanted', '=', false), row('is_counted', '=', false)]))
    .limit(1)
    .execute()
  const words = await kysely
    .selectFrom('article_search_words')
    .select('id')
    .where('org_id', '=', orgId)
    .where('is_settled', '=', false)
    .limit(1)
    .execute()
  return lists.length + words.length === 0
}
