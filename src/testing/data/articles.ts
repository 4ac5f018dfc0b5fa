import { expect } from 'vitest'
import { newId } from '../../platform/ids/index.ts'
import type { Client } from '../client.ts'

export const createKnowledgeBase = async (client: Client): Promise<string> =>
  (await client.post('/v1/knowledge-bases', { name: 'Care' })).body.id

/** Creates a category with a unique slug, unless the body has one. */
export async function createCategory(client: Client, base: string, body: object = {}): Promise<any> {
  const sent = { name: 'Care', slug: newId(), knowledge_base_id: base, ...body }
  const reply = await client.post('/v1/article-categories', sent)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

/** Creates articles in a category and returns their ids. */
export async function createArticles(
  client: Client,
  category: { id: string; knowledge_base_id: string },
  count: number,
): Promise<string[]> {
  const body = { title: 'Oiling', knowledge_base_id: category.knowledge_base_id, category_id: category.id }
  const replies = await Promise.all(Array.from({ length: count }, () => client.post('/v1/articles', body)))
  for (const reply of replies) expect(reply).toMatchObject({ status: 201 })
  return replies.map((reply) => reply.body.id)
}
