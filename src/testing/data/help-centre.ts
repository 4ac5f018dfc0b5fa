import { expect } from 'vitest'
import { newId } from '../../platform/ids/index.ts'
import type { Reply } from '../client.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness, Tenant } from '../harness.ts'

/** A published knowledge base that tests fill and read as a visitor. */
export class TestCentre {
  readonly tenant: Tenant
  readonly base: { id: string; public_slug: string }
  readonly #harness: Harness
  #slugs = 0

  constructor(harness: Harness, tenant: Tenant, base: TestCentre['base']) {
    this.#harness = harness
    this.tenant = tenant
    this.base = base
  }

  get path(): string {
    return `/kb/${this.base.public_slug}`
  }

  /** Fetches a page as a visitor, without an API key. */
  read(path = '', headers: Record<string, string> = {}): Promise<Reply> {
    return this.#harness.client().get(`${this.path}${path}`, headers)
  }

  category(fields: object = {}): Promise<{ id: string; slug: string }> {
    const slug = `category-${++this.#slugs}`
    return this.#create('/v1/article-categories', { name: 'Care', slug, knowledge_base_id: this.base.id, ...fields })
  }

  article(fields: object = {}): Promise<{ id: string; slug: string }> {
    const given = { title: 'Oak table', content: 'Wipe it.', status: 'published', knowledge_base_id: this.base.id }
    return this.#create('/v1/articles', { ...given, ...fields })
  }

  async translate(articleId: string, language: string, title: string, content = 'Text.'): Promise<void> {
    await this.#create(`/v1/articles/${articleId}/translations`, { language, title, content })
  }

  /** Inserts copies of an article as rows, without indexing them. Through the API thousands would take minutes. */
  async multiplyArticle(
    articleId: string,
    count: number,
    changesOf: (n: number) => { title?: string; category_id?: string } = () => ({}),
  ): Promise<void> {
    const { orgId } = this.tenant
    await this.#harness.service.database.write(async (tx) => {
      const [article, text] = await Promise.all([
        tx
          .selectFrom('articles')
          .selectAll()
          .where('org_id', '=', orgId)
          .where('id', '=', articleId)
          .executeTakeFirstOrThrow(),
        tx
          .selectFrom('article_texts')
          .selectAll()
          .where('org_id', '=', orgId)
          .where('article_id', '=', articleId)
          .executeTakeFirstOrThrow(),
      ])
      const ids = Array.from({ length: count }, newId)
      // A worker would take long to index all of them.
      const indexing = { indexing_status: 'not_started' as const, indexing_due_at: null }
      const copies = ids.map((id, n) => {
        const { title = `title ${n}`, category_id = article.category_id } = changesOf(n)
        const own = { id, slug: `${article.slug}-${n}`, title_key: title.toLowerCase(), category_id }
        return { ...article, ...indexing, ...own }
      })
      await insertTestRows(tx, 'articles', copies)
      const texts = ids.map((id, n) => ({ ...text, id, article_id: id, title: changesOf(n).title ?? `Title ${n}` }))
      await insertTestRows(tx, 'article_texts', texts)
    })
  }

  /** Inserts copies of a category as rows, and returns their IDs. */
  async multiplyCategory(
    categoryId: string,
    count: number,
    textsOf: (n: number) => { name?: string; description?: string } = () => ({}),
  ): Promise<string[]> {
    return await this.#harness.service.database.write(async (tx) => {
      const category = await tx
        .selectFrom('article_categories')
        .selectAll()
        .where('org_id', '=', this.tenant.orgId)
        .where('id', '=', categoryId)
        .executeTakeFirstOrThrow()
      const copies = Array.from({ length: count }, (_, n) => ({
        ...category,
        id: newId(),
        slug: `${category.slug}-${n}`,
        sort_order: n,
        ...textsOf(n),
      }))
      await insertTestRows(tx, 'article_categories', copies)
      return copies.map(({ id }) => id)
    })
  }

  async #create(path: string, body: object): Promise<any> {
    const reply = await this.tenant.post(path, body)
    expect(reply, reply.text).toMatchObject({ status: 201 })
    return reply.body
  }
}

export async function createCentre(harness: Harness, fields: object = {}, owner?: Tenant): Promise<TestCentre> {
  const tenant = owner ?? (await harness.createTenant())
  const reply = await tenant.post('/v1/knowledge-bases', { name: 'Acme help', is_published: true, ...fields })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return new TestCentre(harness, tenant, reply.body)
}
