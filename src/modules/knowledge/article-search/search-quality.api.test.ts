import { afterAll, expect, test } from 'vitest'
import { readQualityCorpus } from '../../../../bench/search-quality/corpus.ts'
import { evaluate, sharesOf } from '../../../../bench/search-quality/evaluate.ts'
import { QUESTIONS, SYNONYMS } from '../../../../bench/search-quality/questions.ts'
import { timestamp } from '../../../platform/clock/index.ts'
import { indexArticles } from '../../../testing/data/index-articles.ts'
import { insertPublished } from '../../../testing/data/published-articles.ts'
import { useHarness } from '../../../testing/harness.ts'
import { createAnalyser } from './index.ts'

const harness = useHarness({ role: 'api' })
const analyser = createAnalyser()
afterAll(() => analyser.close())

/** Every third question of `npm run bench -- search-quality`, without categories. */
const SOME = QUESTIONS.filter((_, n) => n % 3 === 0)

test('the words that people type find the article, with typos and in other words', async () => {
  const { database } = harness.service
  const tenant = await harness.createTenant()
  const { orgId } = tenant
  const { body } = await tenant.post('/v1/knowledge-bases', { name: 'Help', is_published: true })
  await tenant.put(`/v1/knowledge-bases/${body.id}/synonyms`, { synonyms: SYNONYMS })
  const { articles, keys } = await readQualityCorpus(body.id)
  await database.write((tx) => insertPublished(tx, orgId, articles, timestamp(harness.nowMs())))
  await indexArticles(database, analyser, orgId, articles)
  const outcomes = []
  for (const question of SOME) outcomes.push(await evaluate(database.read, orgId, body.id, keys, question))
  const { first, firstThree } = sharesOf(outcomes)
  expect(first).toBeGreaterThanOrEqual(0.85)
  expect(firstThree).toBeGreaterThanOrEqual(0.9)
})
