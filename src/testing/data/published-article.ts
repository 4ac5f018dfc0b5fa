import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import type { Tenant } from '../harness.ts'
import { createKnowledgeBase } from './articles.ts'

/** Publishes an article and waits until a worker has indexed it. */
export async function publishArticle(
  tenant: Tenant,
  title: string,
  content: string,
  more: object = {},
): Promise<string> {
  const knowledge_base_id = await createKnowledgeBase(tenant)
  const reply = await tenant.post('/v1/articles', { knowledge_base_id, title, content, status: 'published', ...more })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  const { id } = reply.body
  await eventually(async () => (await tenant.get(`/v1/articles/${id}`)).body.indexing_status === 'indexed')
  return id
}

/** Publishes up to 100 articles in a knowledge base of their own, and waits until a worker has indexed all of them. */
export async function publishArticles(
  tenant: Tenant,
  articles: readonly { title: string; content: string }[],
): Promise<string[]> {
  const knowledge_base_id = await createKnowledgeBase(tenant)
  const ids: string[] = []
  for (const article of articles) {
    const reply = await tenant.post('/v1/articles', { knowledge_base_id, ...article, status: 'published' })
    expect(reply, reply.text).toMatchObject({ status: 201 })
    ids.push(reply.body.id)
  }
  await eventually(async () => {
    const { data } = (await tenant.get(`/v1/articles?knowledge_base_id=${knowledge_base_id}&page_size=100`)).body
    return data.every(({ indexing_status }: { indexing_status: string }) => indexing_status === 'indexed')
  })
  return ids
}
